import { visible } from "../escape.ts";
import { SIGNS } from "../signs.ts";
import type { Style } from "../style.ts";
import type { Tone } from "../view.ts";
import { textWidth } from "../width.ts";

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

/** Returns the phases in a row, or in as many rows as the width takes. */
export function ladderOf(phases: readonly Phase[], terminal: LiveTerminal): Drawn[] {
  const rows: Drawn[] = [];
  for (const phase of phases) {
    const next = phaseOf(phase, terminal);
    const row = rows.at(-1);
    const fits = row && row.width + GAP.length + next.width <= terminal.columns;
    if (fits) rows[rows.length - 1] = both(row, GAP, next);
    else rows.push(both(EMPTY, " ", next));
  }
  return rows;
}

export function phaseOf({ word, state }: Phase, { style }: LiveTerminal): Drawn {
  const glyph = GLYPHS[state];
  const shown = visible(word);
  const width = textWidth(glyph) + 1 + textWidth(shown);
  if (state === "done") return { text: `${style.cell({ text: glyph, tone: "good" })} ${style.faint(shown)}`, width };
  return { text: style.cell({ text: `${glyph} ${shown}`, tone: TONES[state] }), width };
}

export interface LiveTerminal {
  columns: number;
  rows: number;
  style: Style;
  takesLinks: boolean;
}

/** A line as it is painted, and its width without colors and links. */
export interface Drawn {
  text: string;
  width: number;
}

export const EMPTY: Drawn = { text: "", width: 0 };

export const GAP = "  ";

export function drawn(text: string): Drawn {
  return { text, width: textWidth(text) };
}

export function both(one: Drawn, gap: string, other: Drawn): Drawn {
  return { text: one.text + gap + other.text, width: one.width + gap.length + other.width };
}
