import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";

/** What was measured: the sections that scripts write, and the figures in running text, each with the date and the commit of its run. */
const RECORD = join(root, "docs/project/figures.json");

export function readRecord() {
  return JSON.parse(readFileSync(RECORD, "utf8"));
}

/** Replaces a section of a document, and records it as measured today with the current commit. */
export function writeSection(document, name, content) {
  const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const measured = { document, date: new Date().toISOString().slice(0, 10), commit, lines: content.split("\n") };
  const record = readRecord();
  record.sections[name] = measured;
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  const path = join(root, document);
  writeFileSync(path, withSection(readFileSync(path, "utf8"), name, sectionText(measured)));
}

function sectionText({ date, commit, lines }) {
  return [`Measured on ${date}, commit ${commit}.`, "", ...lines].join("\n");
}

/**
 * Returns the text of a document with new content between `<!-- NAME: written by npm run NAME -->` and `<!-- end of NAME -->`.
 * @throws if the document doesn't contain both
 */
export function withSection(text, name, content) {
  const begin = `<!-- ${name}: written by npm run ${name} -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = text.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (after === undefined) throw new Error(`there is no place for ${name}: ${begin} … ${end}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
}

/** Returns what the text of a document says was measured and its record does not. */
export function unrecorded(document, text, { sections, prose, chosen }) {
  const own = Object.entries(sections).filter(([, section]) => section.document === document);
  const faults = own
    .filter(([name, section]) => withSection(text, name, sectionText(section)) !== text)
    .map(([name]) => `${document}: the section ${name} differs from docs/project/figures.json`);
  // What was measured, and what the sources choose and a report repeats.
  const texts = [...prose, ...chosen]
    .filter((run) => run.document === document)
    .flatMap(({ date, commit, figures }) => (date ? [date, commit, ...figures] : figures));
  const known = texts.join("\n");
  const found = measuringParagraphs(text).flatMap(figuresIn);
  const missing = [...new Set(found)].filter((figure) => !hasWords(known, figure));
  const stale = texts.filter((words) => !hasWords(text.replace(/\s+/g, " "), words));
  return [
    ...faults,
    ...missing.map((figure) => `${document}: docs/project/figures.json does not have "${figure}"`),
    ...stale.map((figure) => `docs/project/figures.json: ${document} does not have "${figure}"`),
  ];
}

/** Returns the paragraphs of running text, without code, that report a measurement. */
function measuringParagraphs(text) {
  const running = text
    .replace(/<!-- (\w+): written.*?<!-- end of \1 -->/gs, "")
    .replace(/^```.*?^```$/gms, "")
    .replace(/`[^`]*`|\[\d{4}\]\([^)]*\)|\]\([^)]*\)/g, "");
  const reports = /\bmeasured\b|\b\d{4}-\d\d-\d\d\b|\d lives\b|\d\.\d (?:MB|GB|m?s)\b/i;
  return running
    .split(/\n\s*\n|\n(?=[-|] ?)/)
    .filter((part) => reports.test(part))
    .map((part) => part.replace(/\s+/g, " "));
}

/** Returns the dates, commits, and numbers of a paragraph; a number with the word after it. */
function figuresIn(paragraph) {
  const dated = paragraph.match(/\b\d{4}-\d\d-\d\d\b|(?<=commit )[0-9a-f]{8}\b/g) ?? [];
  const counted = paragraph
    .replace(/\b\d{4}-\d\d-\d\d\b|\bcommit [0-9a-f]{8}\b/g, "")
    .replace(/\b(?:exit(?:s|ed)?(?: with)?|facts|Node(?:\.js)?) \d+(?:, \d+|,? and \d+)*/g, "")
    .match(/(?<![\w.,-])\d[\d,.]*(?<![,.])(?: (?!(?:and|at|before|by|for|in|of|to|were|with)\b)[a-z]+\b)?/gi);
  return [...dated, ...(counted ?? [])];
}

function hasWords(text, words) {
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w.,])${escaped}(?!\\w|[.,]\\d)`).test(text);
}
