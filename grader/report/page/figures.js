"use strict";
// A tensor beside the one that should be there: matrices of attention as heatmaps, others as tables. What differs carries a star,
// the place of the failure a frame too; the words under the figure and its description say the same without either.

const kWithNumbers = 10; // columns of a heatmap whose cells are wide enough for their numbers, on a phone too
const kHeadings = ["should be", "yours"]; // of two sides, where a record names no others
const kTold = 12; // marked cells that a description names one by one

// Signed numbers get two colours and the largest of them full strength; weights, which lie in 0 ... 1, one colour.
function scale_of(tensors) {
  const finite = tensors.flatMap((tensor) => tensor.parts.flatMap((part) => part.rows.flat())).map(to_number).filter(Number.isFinite);
  const largest = finite.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  return largest <= 1 && finite.every((value) => value >= 0) ? 1 : largest || 1;
}

function cell_look(value, scale) {
  const number = to_number(value);
  if (Number.isNaN(number)) return {class: "cell odd", fill: "url(#dots)"};
  if (number === -Infinity) return {class: "cell odd", fill: "url(#hatch)"};
  const strength = Math.min(1, Math.abs(number) / scale);
  return {class: number < 0 ? "cell minus" : "cell plus", "fill-opacity": String(Number(strength.toFixed(3)))};
}

// "row 0, column 1 is 0.5 (should be: 0)"
function mark_words(compared, i, j) {
  return `row ${i}, column ${j} is ${full_text(compared.actual[i][j])} (${compared.headings[0]}: ${full_text(compared.expected[i][j])})`;
}

function marked_cells(compared) {
  return compared.marks.flatMap((row, i) => row.flatMap((mark, j) => (mark === "" ? [] : [[i, j]])));
}

// What the figure shows, for those who do not see it.
function description_of(compared) {
  const cells = marked_cells(compared);
  if (cells.length === 0) return "No number differs from what it should be.";
  const told = cells.slice(0, kTold).map(([i, j]) => mark_words(compared, i, j)).join("; ");
  const more = cells.length > kTold ? `; and ${cells.length - kTold} more, which the table after the figure holds` : "";
  return `${count_of(cells.length, "number differs", "numbers differ")}: ${told}${more}.`;
}

// One matrix. compared: null for the side that should be, which carries no marks.
function heatmap(name, rows, scale, compared, causal) {
  const columns = rows.length === 0 ? 0 : rows[0].length;
  const mark_at = (i, j) => (compared === null ? "" : compared.marks[i][j]);
  const texts = rows.map((row, i) => row.map((value, j) => short_text(value) + (mark_at(i, j) === "" ? "" : "*")));
  const numbers = columns <= kWithNumbers;
  const longest = texts.flat().reduce((most, text) => Math.max(most, text.length), 3);
  const width = numbers ? Math.max(34, longest * 7.4 + 8) : 16;
  const height = numbers ? 30 : 16;
  const [left, top] = [22, 18];
  const title = fresh_id("figure");
  const described = fresh_id("figure");
  const [across, down] = [left + columns * width + 3, top + rows.length * height + 3];
  const picture = svg_el("svg", {
    class: "heatmap", role: "img", "aria-labelledby": title, "aria-describedby": described,
    viewBox: `0 0 ${across} ${down}`, width: across, height: down, preserveAspectRatio: "xMinYMin meet",
  });
  picture.append(
    svg_el("title", {id: title}, `${name}: ${rows.length} × ${columns}`),
    svg_el("desc", {id: described}, compared === null ? "What it is compared with." : description_of(compared)));
  const step = Math.max(1, Math.ceil((numbers ? 1 : 24) / width)); // which indices have room for their number
  for (let j = 0; j < columns; j += step) picture.append(svg_el("text", {class: "axis", x: left + (j + 0.5) * width, y: top - 6}, j));
  rows.forEach((row, i) => {
    if (i % step === 0) picture.append(svg_el("text", {class: "axis", x: left - 9, y: top + (i + 0.5) * height + 4}, i));
    row.forEach((value, j) => {
      const mark = mark_at(i, j);
      const [x, y] = [left + j * width, top + i * height];
      const tip = mark === "" ? `row ${i}, column ${j}: ${full_text(value)}` : mark_words(compared, i, j);
      const place = {"data-row": i, "data-column": j, "data-mark": mark === "" ? null : mark};
      picture.append(svg_el("rect", {...cell_look(value, scale), ...place, x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1},
        svg_el("title", {}, tip)));
      const text = numbers ? texts[i][j] : mark === "" ? "" : "*";
      const middle = {x: x + width / 2, y: y + height / 2 + (numbers ? 4 : 6)};
      if (text !== "") picture.append(svg_el("text", {class: mark === "" ? "number" : "number marked", ...middle}, text));
    });
  });
  if (causal && rows.length === columns && columns > 1) picture.append(stair(columns, left, top, width, height));
  if (compared !== null && compared.row !== null)
    picture.append(frame(left, top + compared.row * height, columns * width, height));
  if (compared !== null && compared.spot !== null)
    picture.append(frame(left + compared.spot[1] * width, top + compared.spot[0] * height, width, height));
  return picture;
}

// The causal boundary: what lies to the right of it comes later.
function stair(size, left, top, width, height) {
  let path = `M ${left + width} ${top}`;
  for (let i = 1; i < size; ++i) path += ` V ${top + i * height} H ${left + (i + 1) * width}`;
  return svg_el("path", {class: "stair", d: path});
}

function frame(x, y, width, height) {
  return svg_el("rect", {class: "frame", x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 3});
}

// All digits, row by row.
function matrix_table(name, rows, compared, side) {
  const columns = rows.length === 0 ? 0 : rows[0].length;
  const head = el("tr", {}, el("td", {}), Array.from({length: columns}, (_, j) => el("th", {scope: "col"}, unseen("column "), j)));
  const body = rows.map((row, i) =>
    el("tr", {}, el("th", {scope: "row"}, "row " + i), row.map((value, j) => {
      const mark = compared === null ? "" : compared.marks[i][j];
      const here = mark === "here" || (compared !== null && compared.row === i);
      return el("td", {class: (mark === "" ? "" : "marked") + (here ? " here" : "") || null, "data-mark": mark === "" ? null : mark},
        full_text(value), mark === "" ? null : ["*", unseen(" differs")]);
    })));
  const caption = side === null ? name : [el("span", {class: "unseen"}, name + ", "), side];
  return wide(side === null ? name : `${name}, ${side}`,
    el("table", {class: "matrix"}, el("caption", {class: side === null ? "unseen" : null}, caption), el("thead", {}, head),
      el("tbody", {}, body)));
}

function pair(first, second) {
  return el("div", {class: "pair"}, el("div", {class: "side"}, first), el("div", {class: "side"}, second));
}

function labelled(words, picture) {
  return [el("p", {class: "side-name"}, words), el("div", {class: "picture"}, picture)];
}

// One part (a head, or all there is) of a tensor that should be beside the one that is.
function part_figure(name, label, compared, scale, as_heatmap, causal) {
  const {headings} = compared;
  const full = label === "" ? name : `${name}, ${label}`;
  const tables = pair(matrix_table(full, compared.expected, null, headings[0]), matrix_table(full, compared.actual, compared, headings[1]));
  const caption = label === "" ? null : el("figcaption", {}, label);
  if (!as_heatmap) return el("figure", {}, caption, tables);
  const values = [...compared.expected.flat(), ...compared.actual.flat()];
  const cut = compared.expected[0].length > kWithNumbers ||
    values.some((value) => Number.isFinite(to_number(value)) && Number(short_text(value)) !== to_number(value));
  return el("figure", {}, caption,
    pair(labelled(headings[0], heatmap(`${full}, ${headings[0]}`, compared.expected, scale, null, causal)),
      labelled(headings[1], heatmap(`${full}, ${headings[1]}`, compared.actual, scale, compared, causal))),
    folded([cut ? "as a table, with every digit" : "as a table", unseen(`: ${full}`)], {class: "digits"}, tables));
}

// How the marks are to be read: only what occurs.
function legend(parts, as_heatmap, causal) {
  const words = [];
  if (parts.some((part) => part.different > 0)) words.push("* differs from what it should be");
  if (parts.some((part) => part.row !== null)) words.push("framed: the row in which the check failed");
  else if (parts.some((part) => part.spot !== null)) words.push("framed: where the check failed");
  const square = (part) => part.actual.length > 1 && part.actual.length === part.actual[0].length;
  if (as_heatmap && causal && parts.some(square)) words.push("right of the stepped line: tokens that come later");
  const values = parts.flatMap((part) => [...part.expected.flat(), ...part.actual.flat()]).map(to_number);
  if (as_heatmap && values.includes(-Infinity)) words.push("hatched: -inf");
  if (as_heatmap && values.some(Number.isNaN)) words.push("dotted: not a number");
  if (as_heatmap && values.some((value) => value < 0 && value !== -Infinity)) words.push("blue above 0, brown below");
  if (as_heatmap && causal) words.push("rows are queries, columns keys");
  return words.length === 0 ? null : el("p", {class: "legend"}, words.join("; ") + ".");
}
