"use strict";
// How numbers are read and written: as the text report does it. In a record NaN and the infinities are strings.

function to_number(value) {
  if (typeof value === "number") return value;
  return {NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity}[value] ?? NaN;
}

// Every digit: the shortest that reads back as the same number.
function full_text(value) {
  const number = to_number(value);
  return Object.is(number, -0) ? "-0" : String(number);
}

// For a cell: small integers exactly, everything else with four significant digits.
function short_text(value) {
  const number = to_number(value);
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  if (Number.isInteger(number) && Math.abs(number) < 1e6) return String(number + 0 === 0 ? 0 : number);
  const [mantissa, exponent] = number.toExponential(3).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 4) return String(Number(number.toPrecision(4)));
  const digits = String(Math.abs(power)).padStart(2, "0");
  return String(Number(mantissa)) + "e" + (power < 0 ? "-" : "+") + digits;
}

// One decimal is enough for points, but 99.96 must not read as 100.
function points_text(points) {
  return String(Math.floor(points * 10 + 1e-9) / 10);
}

function points_words(points) {
  return points_text(points) + (points_text(points) === "1" ? " point" : " points");
}

// A tensor out of nested lists: its extents, and one matrix for each index of the axes before the last two.
//   3 -> [] and one 1 x 1 matrix;  [1, 2] -> [2] and one row;  (n_heads, T, T) -> one matrix a head
function read_tensor(value) {
  if (value === null || value === undefined) return null;
  const dims = [];
  for (let part = value; Array.isArray(part); part = part[0]) dims.push(part.length);
  if (dims.length === 0) return {dims, parts: [{at: [], rows: [[value]]}]};
  if (dims.length === 1) return {dims, parts: [{at: [], rows: [value]}]};
  const parts = [];
  const descend = (part, at) => {
    if (at.length === dims.length - 2) parts.push({at, rows: part});
    else part.forEach((child, i) => descend(child, [...at, i]));
  };
  descend(value, []);
  return {dims, parts};
}

function extents_of(tensor) {
  return tensor.dims.length === 0 ? "a number" : tensor.dims.join(" × ");
}

function same_extents(a, b) {
  return a.dims.length === b.dims.length && a.dims.every((extent, i) => extent === b.dims[i]);
}

// Two tensors of the same extents, cell by cell. `where` is the record's place of the failure, or null when it lies elsewhere; an index
// that stops before the last axis means the whole row. Each part gets
//   marks[i][j]: "" alike as far as four digits show, "differs", or "here" at the place of the failure
//   row: the row in question, or null
function compare(expected, actual, where) {
  const rank = expected.dims.length;
  const index = where === null ? null : where.index;
  return expected.parts.map((part, p) => {
    const yours = actual.parts[p];
    const inside = index !== null && part.at.every((value, axis) => axis >= index.length || index[axis] === value);
    const rest = inside && index.length >= part.at.length ? index.slice(part.at.length) : null;
    const row = rest !== null && rank >= 2 && rest.length === 1 ? rest[0] : null;
    const spot = rest === null ? null : rank < 2 && rest.length === rank ? [0, rest[0] ?? 0] : rest.length === 2 ? rest : null;
    const marks = part.rows.map((cells, i) =>
      cells.map((should, j) => {
        if (spot !== null && spot[0] === i && spot[1] === j) return "here";
        const is = yours.rows[i][j];
        if (short_text(should) !== short_text(is)) return "differs";
        return row === i && full_text(should) !== full_text(is) ? "differs" : "";
      }));
    const different = marks.flat().filter((mark) => mark !== "").length;
    return {at: part.at, expected: part.rows, actual: yours.rows, marks, row, spot, different};
  });
}

// What a small tensor is, in words: "0", "identity", "all 3"; null when only its numbers say it.
function tensor_words(tensor) {
  const values = tensor.parts.flatMap((part) => part.rows.flat());
  if (values.length === 0) return "empty";
  if (values.every((value) => to_number(value) === 0)) return values.length === 1 ? "0" : "all 0";
  if (values.length === 1) return full_text(values[0]);
  const square = tensor.dims.length === 2 && tensor.dims[0] === tensor.dims[1];
  if (square && tensor.parts[0].rows.every((row, i) => row.every((value, j) => to_number(value) === (i === j ? 1 : 0)))) return "identity";
  if (values.length > 4 && values.every((value) => value === values[0])) return "all " + full_text(values[0]);
  return null;
}
