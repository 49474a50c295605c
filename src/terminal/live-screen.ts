import { groupDigits } from "../contract/decimal.ts";
import { escapeText } from "./escape.ts";
import type { Style } from "./style.ts";
import { textWithoutColors } from "./text/cut.ts";
import { type Cell, SIGNS, type Tone } from "./view.ts";
import { columnWidth, spacesToWidth, textWidth } from "./width.ts";
import { wrapLabeledLines, wrapPacked } from "./wrap.ts";

export interface LiveLine {
  label: string;
  text: Cell;
}

export interface LiveEntry {
  id: string;
  /** The entry's place, which one-line entries of the same place omit. */
  place: readonly string[];
  /** Most important first: the last ones don't fit into one line. */
  facts: readonly string[];
  phases: readonly Phase[];
  lines: readonly LiveLine[];
  alert?: string | undefined;
  isEnded: boolean;
}

const LABEL = 4;
const DOT = " · ";

/** Returns a block for each entry; or a line each, or as many as fit. IDs, hashes, and commands are never cut. */
export function liveScreen(entries: readonly LiveEntry[], terminal: LiveTerminal): string {
  const blocks = entries.flatMap((entry, index) => [...(index > 0 ? [EMPTY] : []), ...drawEntry(entry, terminal)]);
  if (countRows(blocks, terminal) <= terminal.rows || entries.length === 1) return joinLines(blocks);
  const lines = drawEntries(entries, terminal);
  if (countRows(lines, terminal) <= terminal.rows) return joinLines(lines);
  const openFirst = [...entries].sort((one, other) => Number(one.isEnded) - Number(other.isEnded));
  const sorted = drawEntries(openFirst, terminal);
  let shown = sorted.length - 1;
  while (shown > 0 && countRows(sorted.slice(0, shown), terminal) >= terminal.rows) shown--;
  return joinLines([...sorted.slice(0, shown), restLine(openFirst.slice(shown), terminal)]);
}

function joinLines(lines: readonly Drawn[]): string {
  return lines.map(({ text }) => `${text}\n`).join("");
}

function countRows(lines: readonly Drawn[], { columns }: LiveTerminal): number {
  return lines.reduce((rows, { width }) => rows + Math.max(1, Math.ceil(width / columns)), 0);
}

function drawEntry(entry: LiveEntry, terminal: LiveTerminal): Drawn[] {
  const id = escapeText(entry.id);
  const facts = [...entry.place, ...entry.facts].map(escapeText);
  const joined = facts.join(DOT);
  const title = { text: terminal.style.strong(id), width: textWidth(id) };
  const isOneLine = textWidth(id) + GAP.length + textWidth(joined) <= terminal.columns;
  const head = isOneLine
    ? [joinDrawn(title, joined === "" ? "" : GAP, drawText(joined))]
    : [title, ...wrapPacked(facts, DOT, terminal.columns - 1).map((line) => drawText(` ${line}`))];
  return [...head, ...drawLadder(entry.phases, terminal), ...entry.lines.flatMap((line) => labelRows(line, terminal))];
}

function labelRows({ label, text }: LiveLine, { columns, style }: LiveTerminal): Drawn[] {
  const indent = 1 + LABEL + GAP.length;
  const shown = escapeText(text.text);
  const head = ` ${style.faint(label)}${spacesToWidth(label, LABEL)}${GAP}`;
  const draw = (line: string) => style.cell({ ...text, text: line });
  const lines = wrapLabeledLines(shown, { head, indent, columns, draw });
  return lines.map((line) => ({ text: line, width: textWidth(textWithoutColors(line)) }));
}

function drawEntries(entries: readonly LiveEntry[], terminal: LiveTerminal): Drawn[] {
  const { style, columns } = terminal;
  const phases = entries.map((entry) => drawPhase(currentPhase(entry), terminal));
  const widest = Math.max(...phases.map(({ width }) => width));
  const ids = columnWidth(entries.map(({ id }) => escapeText(id)));
  const hasPlaces = new Set(entries.map(({ place }) => place.join(DOT))).size > 1;
  return entries.map(({ id, place, facts, alert }, index) => {
    const phase = phases[index] ?? EMPTY;
    const shown = escapeText(id);
    const start = joinDrawn(phase, " ".repeat(widest - phase.width) + GAP, drawText(shown));
    const warnings = alert === undefined ? [] : [{ text: escapeText(alert), tone: "warn" as const }];
    const others = [...(hasPlaces ? place : []), ...facts].map((text): Cell => ({ text: escapeText(text) }));
    let line = start;
    for (const [at, fact] of [...warnings, ...others].entries()) {
      const gap = at === 0 ? spacesToWidth(shown, ids) + GAP : DOT;
      const longer = joinDrawn(line, gap, { text: style.cell(fact), width: textWidth(fact.text) });
      if (longer.width > columns) break;
      line = longer;
    }
    return line;
  });
}

function currentPhase({ phases }: LiveEntry): Phase {
  const current = phases.find(({ state }) => state === "now" || state === "failed");
  return current ?? phases.findLast(({ state }) => state === "done") ?? { word: "", state: "ahead" };
}

/** Returns how many entries are not shown: `and 12 more: 9 in progress, 3 ended`. */
function restLine(entries: readonly LiveEntry[], { style }: LiveTerminal): Drawn {
  const ended = entries.filter(({ isEnded }) => isEnded).length;
  const open = entries.length - ended;
  const counts = [
    open > 0 ? `${groupDigits(open)} in progress` : "",
    ended > 0 ? `${groupDigits(ended)} ended` : "",
  ].filter(Boolean);
  const text = `and ${groupDigits(entries.length)} more: ${counts.join(", ")}`;
  return { text: style.faint(text), width: textWidth(text) };
}

/** A step on the way of a thing: passed, current, to come, or where it ended. */
export interface Phase {
  word: string;
  state: "done" | "now" | "ahead" | "failed";
}

const TONES: Readonly<Record<Phase["state"], Tone | undefined>> = {
  done: "good",
  now: undefined,
  ahead: "faint",
  failed: "bad",
};
const GLYPHS = { done: SIGNS.good, now: SIGNS.active, ahead: SIGNS.ahead, failed: SIGNS.bad } as const;

function drawLadder(phases: readonly Phase[], terminal: LiveTerminal): Drawn[] {
  const rows: Drawn[] = [];
  for (const phase of phases) {
    const next = drawPhase(phase, terminal);
    const row = rows.at(-1);
    const fits = row && row.width + GAP.length + next.width <= terminal.columns;
    if (fits) rows[rows.length - 1] = joinDrawn(row, GAP, next);
    else rows.push(joinDrawn(EMPTY, " ", next));
  }
  return rows;
}

function drawPhase({ word, state }: Phase, { style }: LiveTerminal): Drawn {
  const glyph = GLYPHS[state];
  const shown = escapeText(word);
  const width = textWidth(glyph) + 1 + textWidth(shown);
  if (state === "done") return { text: `${style.cell({ text: glyph, tone: "good" })} ${style.faint(shown)}`, width };
  const text = style.cell({ text: `${glyph} ${shown}`, tone: TONES[state] });
  return { text: state === "now" ? style.strong(text) : text, width };
}

interface LiveTerminal {
  columns: number;
  rows: number;
  style: Style;
}

interface Drawn {
  text: string;
  width: number;
}

const EMPTY: Drawn = { text: "", width: 0 };

const GAP = "  ";

function drawText(text: string): Drawn {
  return { text, width: textWidth(text) };
}

function joinDrawn(one: Drawn, gap: string, other: Drawn): Drawn {
  return { text: one.text + gap + other.text, width: one.width + gap.length + other.width };
}
