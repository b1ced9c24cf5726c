"use strict";
// One record from its head to its foot. What is right comes before what is wrong, and ids come last.

const kNamed = 8; // checks that are named where no one can be more to blame than another

const kOutcomes = {
  internal_error: "attest itself failed: nothing was judged",
  rejected: "not run",
  compile_error: "it does not compile",
  import_error: "it cannot be loaded",
  no_entry: "nothing to grade was found in it",
  crashed: "it crashed",
  exited: "it ended its own process",
  out_of_memory: "it ran out of memory",
  timed_out: "it took too long",
  raised: "it raised an exception",
  unfinished: "not written yet",
  wrong_type: "it returned something of the wrong type",
  wrong_shape: "it returned something of the wrong shape",
  non_deterministic: "the same call gave different results",
  falsified: "something that must hold does not",
  passed: "everything holds",
};

function outcome_words(outcome) {
  return kOutcomes[outcome] ?? outcome.replaceAll("_", " ");
}

function score_words(record) {
  if (!record.score) return record.outcome === "internal_error" ? "not judged" : "one case, no score";
  return `${points_text(record.score.earned)} / ${points_text(record.score.possible)}`;
}

function outcome_sign(outcome) {
  if (outcome === "passed") return sign("✓", "good");
  return outcome === "unfinished" ? sign("○", "warn") : sign("✗", "bad");
}

function sum(properties, side) {
  return properties.reduce((total, property) => total + property.points[side], 0);
}

// The properties by what became of them.
function sorted_out(record) {
  const sorts = {causes: [], consequences: [], skipped: [], held: [], waiting: [], fragile: []};
  for (const property of record.properties) {
    if (is_advice(property)) continue;
    if (is_failure(property)) sorts[property.follows_from ? "consequences" : "causes"].push(property);
    else if (property.outcome === "skipped") sorts.skipped.push(property);
    else if (property.outcome === "fragile") sorts.fragile.push(property);
    else sorts[property.waits_for ? "waiting" : "held"].push(property);
  }
  return sorts;
}

// Properties of each aspect, in the record's order; what does not apply to this submission is left out.
function aspects_of(record) {
  const aspects = new Map();
  for (const property of record.properties) {
    if (is_advice(property) || (property.outcome === "skipped" && property.points.possible === 0)) continue;
    if (!aspects.has(property.group)) aspects.set(property.group, []);
    aspects.get(property.group).push(property);
  }
  return aspects;
}

function bar(earned, possible) {
  const full = el("span", {});
  full.style.width = (possible > 0 ? Math.min(100, (100 * earned) / possible) : 0) + "%";
  return el("span", {class: "bar", "aria-hidden": "true"}, full);
}

function head(record) {
  const sorts = sorted_out(record);
  const failed = sorts.causes.length + sorts.consequences.length;
  let verdict = record.first_message ?? null;
  if (verdict === null && record.outcome === "passed")
    verdict = `${count_of(sorts.held.length, "property holds", "properties hold")} on ${count_of(record.cases, "case", "cases")}.`;
  if (verdict === null && failed > 0) {
    const all = record.properties.filter((property) => property.outcome !== "skipped").length;
    verdict = `${failed} of ${count_of(all, "check", "checks")} failed: ${outcome_words(record.outcome)}.`;
  }
  if (verdict === null) verdict = outcome_words(record.outcome) + (record.error ? ": " + fault_words(record.error) : "") + ".";
  const right = failed > 0 ? record.right_so_far ?? [] : [];
  const open = right.length > 0 ? [...record.not_judged, ...record.judged_in_part.map((aspect) => aspect + " in part")] : [];
  return el("div", {class: "head"},
    el("h1", {tabindex: "-1"}, name_of(record)),
    el("p", {class: "score"}, score_words(record), record.score === null ? null : unseen(" points"),
      record.score === null ? null : bar(record.score.earned, record.score.possible)),
    el("p", {class: "verdict"}, outcome_sign(record.outcome), verdict),
    facts({class: "facts"}, [
      ["right so far", right.join(", ")], ["not judged", open.join(", ")],
      ["exercise", record.exercise],
      ["called as", record.signature !== "default" ? `signature ${record.signature}` : null],
    ]));
}

function scorecard(record) {
  const aspects = [...aspects_of(record)];
  if (aspects.length === 0) return null;
  const scored = record.score !== null;
  const state = (properties) => {
    const failed = properties.filter(is_failure).length;
    const following = properties.filter((property) => is_failure(property) && property.follows_from).length;
    const skipped = properties.filter((property) => property.outcome === "skipped").length;
    const waiting = properties.filter((property) => property.waits_for && !is_failure(property)).length;
    const partly = properties.filter((property) => scored && property.outcome === "passed" && !property.waits_for &&
      property.points.earned < property.points.possible).length;
    const parts = [];
    if (failed > following) parts.push(`${failed - following} of ${properties.length} failed`);
    if (following > 0) parts.push(`${following} of ${properties.length} fail${following === 1 ? "s" : ""} because of another`);
    if (skipped > 0) parts.push(skipped === properties.length ? "not judged" : `${skipped} not judged`);
    if (waiting > 0) parts.push(`${waiting} earn${waiting === 1 ? "s" : ""} nothing yet`);
    if (partly > 0) parts.push(`${partly} of ${properties.length} hold${partly === 1 ? "s" : ""} only where there was an answer`);
    if (parts.length > 0) return [sign(failed > 0 ? "✗" : "–", failed > 0 ? "bad" : "warn"), parts.join(", ")];
    return [sign("✓", "good"), properties.length === 1 ? "it holds" : `all ${properties.length} hold`];
  };
  const row = ([group, properties]) => el("tr", {},
    el("th", {scope: "row"}, group),
    scored ? el("td", {class: "points"}, `${points_text(sum(properties, "earned"))} of ${points_text(sum(properties, "possible"))}`) : null,
    scored ? el("td", {class: "share", "aria-hidden": "true"}, bar(sum(properties, "earned"), sum(properties, "possible"))) : null,
    el("td", {}, state(properties)));
  return section(2, scored ? "Points by aspect" : "By aspect", {class: "scorecard"}, el("table", {},
    el("caption", {class: "unseen"}, "Each aspect with its points and how many of its checks hold"),
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "aspect"), scored ? el("th", {scope: "col"}, "points") : null,
      scored ? el("td", {class: "share", "aria-hidden": "true"}) : null, el("th", {scope: "col"}, "checks"))),
    el("tbody", {}, aspects.map(row))));
}

// A name that attest gives to what it saw: with its evidence, as a guess, the remedy folded.
function diagnosis(record) {
  if (!record.first_wrong_stage && record.diagnosis.length === 0) return null;
  const known = kStages.some(([stage]) => stage === record.first_wrong_stage);
  const stage = !record.first_wrong_stage ? null : [
    el("p", {}, "The first step with a wrong result is ", el("strong", {}, record.first_wrong_stage), "."),
    record.location?.text ? el("p", {class: "location"}, `In your code: ${record.location.text}.`) : null,
    known ? stage_line(record.first_wrong_stage) : null];
  const name = (entry) => {
    const several = entry.bug.split("+");
    const params = Object.entries(entry.params ?? {}).map(([key, value]) =>
      `${key} = ${typeof value === "object" ? JSON.stringify(value) : value}`);
    const evidence = `${entry.agreed === entry.of ? "Identical" : "Alike"} on ${entry.agreed} of ${entry.of} inputs`;
    if (record.detail === "hint") // the name is known, and only its question told
      return el("div", {class: "guess", "data-bug": entry.bug}, facts({class: "facts"}, [["ask yourself", entry.ask]]));
    const alike = (entry.equivalent ?? []).map((bug, i) => {
      const title = entry.equivalent_titles?.[i];
      return title ? `${title} (${bug})` : bug;
    });
    return el("div", {class: "guess", "data-bug": entry.bug},
      el("h3", {}, "Looks like: ", entry.title ?? several.join(" and ")),
      el("p", {}, evidence, " on which this mistake and a right answer differ.",
        several.length > 1 ? ` These are ${several.length} mistakes together.` : "",
        " It is a guess from what your function returned; your code was not read."),
      facts({class: "facts"}, [["with", params.join(", ")], ["cannot be told from", alike.join("; ")],
        ["ask yourself", entry.ask], ["named", code(entry.bug)]]),
      entry.fix ? folded("Show how to put it right", {class: "fix"}, el("p", {class: "plain"}, entry.fix)) : null);
  };
  return section(2, record.detail === "hint" ? "A question" : "Where it goes wrong", {class: "diagnosis"}, stage, record.diagnosis.map(name));
}

function error_part(record) {
  const error = record.error;
  if (error === null) return null;
  const place = error.file ? error.file + (error.line ? `, line ${error.line}` : "") : null;
  return section(2, "What happened", {class: "error"},
    el("p", {class: "plain"}, error.message),
    facts({class: "facts"}, [["kind", error.kind.replaceAll("_", " ")], ["in", place]]),
    error.traceback ? folded("Traceback", {open: record.outcome !== "unfinished"}, block(error.traceback, "Traceback")) : null);
}

function block(text, label) {
  return el("pre", {class: "wide", "data-label": label}, text);
}

function failures(record) {
  const {causes, consequences} = sorted_out(record);
  if (causes.length + consequences.length === 0) return null;
  const lost = sum(consequences, "possible") - sum(consequences, "earned");
  const one = consequences.length === 1;
  const cost = lost < 0.05 || record.score === null ? "nothing more" : points_words(lost);
  return section(2, "What failed", {class: "failures"},
    causes.map((property, i) => failure(property, record, i === 0)),
    consequences.length === 0 ? null : el("p", {class: "note"},
      count_of(consequences.length, "failed check follows", "failed checks follow"), causes.length > 0 ? " probably from the above" : " from others",
      ` and ${one ? "costs" : "cost"} ${cost}:`),
    consequences.map((property) => failure(property, record, false)),
    record.hint ? el("p", {class: "note"}, "A little help: ", command(record.hint)) : null);
}

// Rows of property and reason under one heading of a table.
function property_table(caption, properties, columns) {
  return el("table", {class: "list"}, el("caption", {class: "unseen"}, caption),
    el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "check"), columns.map(([name]) => el("th", {scope: "col"}, name)))),
    el("tbody", {}, properties.map((property) => el("tr", {},
      el("th", {scope: "row"}, property.title, " ", code(property.id)),
      columns.map(([name, cell]) => el("td", {"data-label": name}, cell(property)))))));
}

// One block for each cause.
function not_judged(record) {
  const {skipped, waiting} = sorted_out(record);
  if (skipped.length + waiting.length === 0) return null;
  const scored = record.score !== null;
  const points = scored ? [["points", (property) => points_text(property.points.possible)]] : [];
  const worth = (properties) => (scored ? ` (${points_words(sum(properties, "possible"))})` : "");
  const reasons = [...new Set(skipped.map((property) => property.skip_reason ?? "no reason was recorded"))];
  return section(2, "Not judged, or not counted yet", {class: "not-judged"},
    reasons.map((reason) => {
      const checks = skipped.filter((property) => (property.skip_reason ?? "no reason was recorded") === reason);
      const news = sum(checks, "possible") > 0 && checks.length <= kNamed;
      return folded(`${count_of(checks.length, "check", "checks")} not judged${worth(checks)}: ${reason}`, {open: news},
        property_table(`Not judged: ${reason}`, checks, [["aspect", (property) => property.group], ...points]));
    }),
    waiting.length === 0 ? null : folded(
      `${count_of(waiting.length, "check holds but earns", "checks hold but earn")} nothing yet${worth(waiting)}`, {},
      property_table("Held, but not counted yet", waiting,
        [["counts when this holds", (property) => code(property.waits_for)], ...points])));
}

function held_part(record) {
  const {held, fragile} = sorted_out(record);
  if (held.length + fragile.length === 0) return null;
  const points = ["points", (property) => `${points_text(property.points.earned)} of ${points_text(property.points.possible)}`];
  return section(2, "What holds", {class: "held"},
    fragile.map((property) => el("p", {}, sign("!", "warn"), "Holds, but is fragile: ", property.explanation ?? property.title, " ",
      code(property.id))),
    held.length === 0 ? null : folded(count_of(held.length, "check holds", "checks hold"), {},
      property_table("Checks that hold", held, [["aspect", (property) => property.group], ["cases", (property) => property.cases],
        ...(record.score === null ? [] : [points])])));
}

function advice_part(record) {
  if (record.advice.length === 0) return null;
  return section(2, "Worth knowing", {class: "advice"},
    el("ul", {}, record.advice.map((advice) => el("li", {class: "plain"}, el("span", {class: "kind"}, advice.kind), " ", advice.text))));
}

function printed_part(record) {
  if (!record.output_tail) return null;
  return section(2, "What it printed", {class: "printed"}, folded("The end of its output", {}, block(record.output_tail, "Output")));
}

// Its path where several files were graded, which may have one name.
function name_of(record) {
  return record.submission.id ?? record.submission.file;
}

// As a word of a shell command line, and none that looks like an option.
function shell_word(word) {
  const safe = word.startsWith("-") ? "./" + word : word;
  return /^[A-Za-z0-9._/:=@%+,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}

function about(record) {
  const again = [
    "attest grade", shell_word(name_of(record)),
    record.exercise ? `--exercise ${record.exercise}` : null,
    record.signature !== "default" ? `--signature ${shell_word(record.signature)}` : null,
    `--seed ${record.seed}`,
    record.dtype !== "float64" ? `--dtype ${record.dtype}` : null,
  ].filter(Boolean).join(" ");
  const listed = (object) => Object.entries(object).filter(([, value]) => value !== null && value !== "");
  const {level, walls} = record.isolation;
  const whole = folded("The whole record, as JSON", {class: "whole"});
  whole.addEventListener("toggle", () => { // once, and only when it is wanted: it may be long
    if (whole.open && whole.childElementCount === 1) whole.append(block(JSON.stringify(record, null, 1), "The record as JSON"));
  });
  return section(2, "About this report", {class: "about"},
    record.score === null || record.seed === null ? null : [
      el("p", {}, "The same file, version and seed give the same report, times aside: ", command(again)),
      el("p", {class: "note"}, "--cases and --no-reference belong to it too, where they were given.")],
    folded("Where and how it was graded", {}, facts({class: "facts small"}, [
      ["language", record.submission.language], ["dtype", record.dtype], ["seed", record.seed], ["cases", record.cases],
      ["took", `${Math.round(record.wall_ms)} ms`], ["signature", record.signature],
      ...listed(record.environment),
      ["isolation", level ? level + (walls.length > 0 ? ` (${walls.join(", ")})` : "") : null],
      ["limits", listed(record.limits).map(([name, value]) => `${name} ${value}`).join(", ")],
      ["sha256 of the file", record.submission.sha256], ["sha256 of the rubric", record.rubric_sha256], ["id", record.submission.id]])),
    whole);
}

const kParts = [head, error_part, scorecard, diagnosis, failures, advice_part, not_judged, held_part, printed_part, about];

function record_parts(record) {
  return kParts.map((part) => part(record));
}
