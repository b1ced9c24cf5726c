"use strict";
// The counterexample's walk through the stages: every tensor of the record's trace, in the order in which the stages make them.

// Stage, what it does in words, and the names under which a trace may hold its results.
const kStages = [
  ["project", "x times w_q, w_k and w_v", ["q", "k", "v", "project"]],
  ["split", "columns shared out among heads", ["q_heads", "k_heads", "v_heads", "split"]],
  ["scores", "each query times each key", ["scores"]],
  ["scale", "divided by √d_head", ["scaled", "scale"]],
  ["mask", "later tokens hidden", ["masked", "mask"]],
  ["softmax", "each row made into weights", ["weights", "softmax"]],
  ["mix", "values mixed by the weights", ["heads", "mixed", "mix"]],
  ["merge", "heads side by side", ["merged", "merge"]],
  ["output", "times w_o", ["y", "output"]],
];
const kOfAttention = ["scores", "scaled", "scale", "masked", "mask", "weights", "softmax"]; // (T, T), or one such a head

// Where a stage makes several tensors, each has words of its own.
const kTensors = {
  q: "x times w_q", k: "x times w_k", v: "x times w_v",
  q_heads: "the columns of q shared out among heads", k_heads: "the columns of k shared out", v_heads: "the columns of v shared out",
};

function tensor_makes(tensor_name) {
  return kTensors[tensor_name] ?? kStages.find(([, , names]) => names.includes(tensor_name))?.[1] ?? null;
}

// Names nobody knows come last, in the record's order.
function in_stage_order(names) {
  const all = kStages.flatMap(([, , known]) => known);
  const place = (name) => (all.includes(name) ? all.indexOf(name) : all.length);
  return names.map((name, i) => [place(name), i, name]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , name]) => name);
}

function part_label(tensor, at) {
  if (at.length === 0 || (tensor.dims.length === 3 && tensor.dims[0] === 1)) return "";
  return tensor.dims.length === 3 ? "head " + at[0] : `[${at.join(", ")}]`;
}

function full_name(name, tensor, at) {
  const label = part_label(tensor, at);
  return label === "" ? name : `${name}, ${label}`;
}

// What became of one tensor: words for the line that stays when it is folded, and the figures.
function walked(name, pair_of, where, causal, headings) {
  const expected = read_tensor(pair_of.expected);
  const actual = read_tensor(pair_of.actual);
  if (expected === null || actual === null) {
    const there = expected ?? actual;
    const words = actual === null ? "no such step was seen in your code" : "nothing to compare it with";
    const side = headings[actual === null ? 0 : 1];
    const body = there === null ? null : there.parts.map((part) => matrix_table(full_name(name, there, part.at), part.rows, null, side));
    return {words, differs: false, body};
  }
  if (!same_extents(expected, actual)) {
    const side = (tensor, words) => tensor.parts.map((part) => matrix_table(full_name(name, tensor, part.at), part.rows, null, words));
    return {
      words: `its shape is ${extents_of(actual)} and should be ${extents_of(expected)}`, differs: true,
      body: pair(side(expected, headings[0]), side(actual, headings[1])),
    };
  }
  const as_heatmap = kOfAttention.includes(name) && expected.dims.length >= 2;
  const here = where !== null && where.tensor === name ? where : null;
  const parts = compare(expected, actual, here).map((part) => ({...part, headings}));
  const scale = scale_of([expected, actual]);
  const different = parts.reduce((sum, part) => sum + part.different, 0);
  const failing = parts.some((part) => part.row !== null || part.spot !== null);
  return {
    words: different > 0 ? count_of(different, "number differs", "numbers differ")
      : failing ? "the check failed here" : "as it should be",
    differs: different > 0 || failing,
    body: [parts.map((part) => part_figure(name, part_label(expected, part.at), part, scale, as_heatmap, causal)),
      legend(parts, as_heatmap, causal)],
  };
}

// causal: each row sees those before it (not so in a softmax alone). The place of the failure and the first stage that differs are
// open, the others one line each.
function walk(trace, where, causal, headings) {
  const names = in_stage_order(Object.keys(trace));
  const results = names.map((name) => ({name, ...walked(name, trace[name], where, causal, headings)}));
  const first = results.find((result) => result.differs);
  return results.map((result) => {
    const made = tensor_makes(result.name);
    const open = result === first || (where !== null && where.tensor === result.name) || (results.length <= 2 && result.differs);
    return el("details", {class: "step" + (result.differs ? " differs" : ""), open, "data-tensor": result.name},
      el("summary", {},
        sign(result.differs ? "✗" : "✓", result.differs ? "bad" : "good"),
        el("span", {class: "step-name"}, result.name), " ",
        made === null || names.length <= 2 ? null : el("span", {class: "faint"}, made, " "),
        el("span", {class: "step-words"}, "— ", result.words)),
      result.body);
  });
}

// The nine stages in a row, with the first wrong one named.
function stage_line(first_wrong) {
  const at = kStages.findIndex(([stage]) => stage === first_wrong);
  return el("ol", {class: "stages"}, kStages.map(([stage, words], i) => {
    const state = i < at ? "before" : i === at ? "wrong" : "after";
    const note = {before: "no fault found", wrong: "first wrong step", after: "comes after it"}[state];
    return el("li", {class: state, "aria-current": state === "wrong" ? "step" : null},
      el("span", {class: "stage"}, state === "wrong" ? sign("✗", "bad") : null, stage), unseen(": "),
      el("span", {class: "stage-words"}, words), unseen(", "), el("span", {class: "stage-note"}, note));
  }));
}
