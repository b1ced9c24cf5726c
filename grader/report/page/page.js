"use strict";
// Reads the records out of the page and draws one of them; with several, a list of all leads to each.

function read_records() {
  const texts = [...document.querySelectorAll("script.record")].map((element) => element.textContent);
  return texts.filter((text) => text.trim() !== "").map((text) => JSON.parse(text));
}

function draw(record, main) {
  document.title = `${name_of(record)}: ${score_words(record)} – attest`;
  main.replaceChildren();
  try {
    main.append(...record_parts(record).filter(Boolean));
  } catch (error) { // a record from another version, say: nothing is lost
    main.replaceChildren(el("h1", {tabindex: "-1"}, record.submission?.file ?? "A record"),
      el("p", {}, `This page cannot draw the record (${error.message}); here it is as it stands.`),
      block(JSON.stringify(record, null, 1), "The record as JSON"));
  }
  notice_wide_parts();
}

// Frames that scroll have a name and can be reached by keyboard; those that do not are no stop on the way.
function notice_wide_parts() {
  for (const part of document.querySelectorAll(".wide")) {
    const scrolls = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight;
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", part.dataset.label]]) {
      if (scrolls) part.setAttribute(name, value);
      else part.removeAttribute(name);
    }
  }
}

function draw_list(records, nav) {
  const passed = records.filter((record) => record.outcome === "passed").length;
  const link = (record, i) => el("a", {href: `#file-${i + 1}`}, name_of(record));
  nav.append(folded(`${records.length} files, ${passed} of them passed`, {open: true},
    wide("Files graded", el("table", {class: "files"},
      el("caption", {class: "unseen"}, "Files graded; each name leads to its report"),
      el("thead", {}, el("tr", {}, ["file", "points", "outcome"].map((name) => el("th", {scope: "col"}, name)))),
      el("tbody", {}, records.map((record, i) => el("tr", {}, el("th", {scope: "row"}, link(record, i)), el("td", {}, score_words(record)),
        el("td", {}, outcome_sign(record.outcome), outcome_words(record.outcome)))))))));
  nav.hidden = false;
}

// The address names the record, so that links and the way back work: #file-2.
function chosen(records) {
  const match = /^#file-([0-9]+)$/.exec(location.hash);
  const index = match === null ? 0 : Number(match[1]) - 1;
  return index >= 0 && index < records.length ? index : 0;
}

function start() {
  const records = read_records();
  const main = document.getElementById("report");
  const nav = document.getElementById("files");
  if (records.length === 0) {
    main.replaceChildren(el("h1", {}, "No record"), el("p", {}, "There is no record in this page."));
    return;
  }
  const show = () => {
    const index = chosen(records);
    nav.querySelector("[aria-current]")?.removeAttribute("aria-current");
    nav.querySelectorAll("a")[index]?.setAttribute("aria-current", "page");
    draw(records[index], main);
  };
  if (records.length > 1) {
    draw_list(records, nav);
    addEventListener("hashchange", () => {
      if (location.hash === "#report") return; // the link that skips the list
      show();
      main.querySelector("h1").focus({preventScroll: true});
      main.scrollIntoView();
    });
  }
  show();
  addEventListener("resize", notice_wide_parts);
  document.addEventListener("toggle", notice_wide_parts, true);

  // On paper nothing can be unfolded.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open], .whole)")];
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
}

start();
