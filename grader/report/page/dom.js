"use strict";
// Elements. Every text, whoever wrote it, becomes a text node here and nothing else: no markup is made from strings.

// el("p", {class: "meta"}, "text", el("code", {}, "more")): attributes that are null or false are left out, and so are children.
function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg_el(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

// For screen readers only: says in words what a colour or a place says to the eye.
function unseen(...children) {
  return el("span", {class: "unseen"}, ...children);
}

// A sign before words that say the same.
function sign(text, kind) {
  return el("span", {class: "sign " + kind, "aria-hidden": "true"}, text + " ");
}

let last_id = 0;
function fresh_id(prefix) {
  return prefix + "-" + ++last_id;
}

// A part of the page with its heading. Only the large ones are landmarks: a list of landmarks is of use while it is short.
function section(level, heading, attributes, ...children) {
  if (level > 2) return el("div", attributes, el("h" + level, {}, heading), ...children);
  const id = fresh_id("part");
  return el("section", {...attributes, "aria-labelledby": id}, el("h" + level, {id}, heading), ...children);
}

function folded(summary, attributes, ...children) {
  return el("details", attributes, el("summary", {}, summary), ...children);
}

// What may be wider than a phone scrolls in a frame of its own; page.js names those that do and lets the keyboard in.
function wide(label, ...children) {
  return el("div", {class: "wide", "data-label": label}, ...children);
}

// Pairs of a word and what belongs to it; those with nothing are left out.
function facts(attributes, pairs) {
  const rows = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (rows.length === 0) return null;
  return el("dl", attributes, rows.map(([word, value]) => el("div", {}, el("dt", {}, word), el("dd", {}, value))));
}

// A command to copy: it breaks anywhere rather than leave the page.
function command(text) {
  return el("code", {class: "command"}, text);
}

// Code and ids inside a sentence.
function code(text) {
  return el("code", {}, text);
}

function joined(items, separator = ", ") {
  return items.flatMap((item, i) => (i === 0 ? [item] : [separator, item]));
}

function count_of(n, one, many) {
  return n + " " + (n === 1 ? one : many);
}
