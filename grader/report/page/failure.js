"use strict";
// One property that failed: what was seen, the smallest input that shows it, should be beside yours, and where to look.

const kNearTheBound = 1000; // an error within this factor of its bound is a matter of rounding: show both
const kMostTyped = 36; // numbers that anybody would type in: more are folded

function is_failure(property) {
  return !["passed", "fragile", "skipped"].includes(property.outcome);
}

// A failure that costs nothing and is told among the advice.
function is_advice(property) {
  return property.advice === true && is_failure(property);
}

// Tokens and heads first, then the rest: the order in which a person reads them.
function shape_words(shape) {
  const words = [];
  if ("T" in shape) words.push(count_of(shape.T, "token", "tokens"));
  if ("n_heads" in shape) words.push(count_of(shape.n_heads, "head", "heads"));
  for (const [symbol, extent] of Object.entries(shape)) {
    if (symbol !== "T" && symbol !== "n_heads") words.push(`${symbol} = ${extent}`);
  }
  return words.join(", ");
}

// Arguments by value: equal ones are shown once, under all their names. Integers are said by the shape.
function inputs(called_with) {
  const groups = new Map();
  for (const [name, value] of Object.entries(called_with)) {
    if (!Array.isArray(value)) continue;
    const key = JSON.stringify(value);
    if (!groups.has(key)) groups.set(key, {names: [], tensor: read_tensor(value)});
    groups.get(key).names.push(name);
  }
  const simple = [];
  const tables = [];
  for (const {names, tensor} of groups.values()) {
    const words = tensor_words(tensor);
    const name = names.join(" = ");
    const extents = el("span", {class: "faint"}, `(${extents_of(tensor)})`);
    if (words !== null) {
      simple.push([name, [words, " ", extents]]);
      continue;
    }
    const matrices = tensor.parts.map((part) => {
      const label = part_label(tensor, part.at);
      return [label === "" ? null : el("p", {class: "faint"}, label), matrix_table(name, part.rows, null, null)];
    });
    const many = tensor.dims.reduce((product, extent) => product * extent, 1) > kMostTyped;
    tables.push(many ? folded([name, " ", extents], {class: "input"}, matrices)
      : el("div", {class: "input"}, el("p", {class: "side-name"}, name, " ", extents), matrices));
  }
  return [el("div", {class: "inputs"}, tables), facts({class: "facts"}, simple)];
}

function any_will_do(found) {
  const tensors = Object.values(found.inputs ?? {}).filter(Array.isArray).length;
  if (tensors > 0 && found.irrelevant.length >= tensors) return "other numbers in this shape fail too";
  return found.irrelevant.length > 0 ? found.irrelevant.join(", ") : null;
}

// "weights[0, 1]", or "row 0 of weights" where the index stops before the last axis.
function where_words(found) {
  const {tensor, index} = found.where;
  if (index.length === 0) return tensor || "the result";
  const compared = found.trace[tensor];
  const dims = compared === undefined ? null : (read_tensor(compared.actual ?? compared.expected)?.dims ?? null);
  if (dims !== null && index.length + 1 === dims.length) {
    const head = dims.length === 3 && dims[0] > 1 ? ` of head ${index[0]}` : "";
    return `row ${index[index.length - 1]}${head} of ${tensor}`;
  }
  return `${tensor}[${index.join(", ")}]`;
}

// What is compared: mostly what should be with what is.
function headings_of(found) {
  return found.headings ?? kHeadings;
}

function where_table(found) {
  const near = to_number(found.error) <= kNearTheBound * to_number(found.bound);
  const names = headings_of(found);
  const cells = [[names[0], found.expected], [names[1], found.actual],
    ...(near ? [["off by", found.error], ["rounding explains at most", found.bound]] : [])];
  return wide("Where the check failed", el("table", {class: "where"},
    el("caption", {class: "unseen"}, "Where the check failed"),
    el("thead", {}, el("tr", {}, ["where", ...cells.map(([name]) => name)].map((name) => el("th", {scope: "col"}, name)))),
    el("tbody", {}, el("tr", {}, el("th", {scope: "row"}, where_words(found)),
      cells.map(([name, value]) => el("td", {"data-label": name, class: name === names[1] ? "marked here" : null}, full_text(value)))))));
}

// Calls beside the judged one: their shape, and the arguments that are not as in it.
function other_calls(words, calls, found) {
  return (calls ?? []).map((call) => {
    const same = (value, other) => JSON.stringify(value) === JSON.stringify(other);
    const others = Object.entries(call.inputs ?? {}).filter(([name, value]) => !same(value, found.inputs?.[name]));
    const rest = others.length < Object.keys(call.inputs ?? {}).length ? "; the rest as above." : ".";
    return [el("p", {}, `${words}: ${shape_words(call.shape)}${rest}`), inputs(Object.fromEntries(others))];
  });
}

function counterexample(found, answered) {
  const omitted = (n, what) => `${what}: ${n} numbers, too many for the record; the command below makes them again`;
  const here = answered ? found.where : null;
  return [
    section(4, answered ? "Check it by hand" : "It was called with", {class: "by-hand"},
      el("p", {}, shape_words(found.shape) + "."),
      found.inputs ? inputs(found.inputs) : null,
      found.inputs_omitted ? el("p", {class: "note"}, omitted(found.inputs_omitted, "The inputs are left out")) : null,
      found.called_with ? [el("p", {class: "note"}, "In your signature these are given as"), inputs(found.called_with)] : null,
      other_calls("After a call", found.before, found), other_calls("Then a call", found.after, found),
      facts({class: "facts"}, [["there", found.transform], ["any will do", any_will_do(found)],
        ["after", found.takes_more_calls ? "many calls; no short sequence was found that brings it about in a new process" : null],
        ["your weights", found.read_out ? "read out through y, by calls in which the values label the tokens" : null]])),
    !answered ? null : section(4, headings_of(found).map((name, i) => (i === 0 ? name[0].toUpperCase() + name.slice(1) : name)).join(", and "), {class: "compared"},
      where_table(found),
      walk(found.trace, here, !("S" in found.shape), headings_of(found)),
      found.trace_omitted ? el("p", {class: "note"}, omitted(found.trace_omitted, "The tensors are left out")) : null),
  ];
}

function fault_words(fault) {
  return fault.message + (fault.file ? ` (${fault.file}${fault.line ? ":" + fault.line : ""})` : "");
}

// A folded block whose line is the explanation. The heading is inside the line, so that both lists of a screen reader have it.
function failure(property, record, open) {
  const found = property.counterexample;
  const answered = found === null ? property.outcome === "falsified" : !found.fault;
  const points = record.score === null ? null
    : `${points_text(property.points.earned)} of ${points_words(property.points.possible)}`;
  const look = [["look at", property.look_at], ["ask yourself", property.ask]];
  return el("details", {class: "failure" + (property.follows_from ? " follows" : ""), open, "data-property": property.id},
    el("summary", {}, sign("✗", "bad"), el("h3", {}, property.explanation ?? property.title)),
    el("div", {class: "inside"},
      el("p", {class: "meta"}, joined([
        property.title,
        property.outcome === "falsified" ? null : property.outcome.replaceAll("_", " "),
        property.group,
        points,
        property.follows_from ? `follows from ${property.follows_from}` : null,
        code(property.id),
      ].filter(Boolean), " · ")),
      found === null ? null : counterexample(found, answered),
      look.some(([, words]) => words) ? section(4, "Where to look", {}, facts({class: "facts look"}, look)) : null,
      property.reproduce || answered ? section(4, "See it again", {},
        property.reproduce ? el("p", {}, command(property.reproduce)) : null,
        answered ? el("p", {class: "note"}, "What is checked, and why it must hold: ", code("attest explain " + property.id)) : null)
        : null));
}
