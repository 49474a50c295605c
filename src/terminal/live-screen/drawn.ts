import type { Style } from "../style.ts";
import { textWidth } from "../width.ts";

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
