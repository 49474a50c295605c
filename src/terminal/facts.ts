import { visible } from "./escape.ts";
import { textWidth } from "./width.ts";
import { wrapped } from "./wrap.ts";

const GAP = "  ";

/**
 * How the facts of several entries are written: in columns where all of them fit into the width, else each wrapped as words
 * are. The columns are set to the right, but for the last, which has room to be uneven.
 */
export function factsWriter(
  all: readonly (readonly string[])[],
  width: number,
): (facts: readonly string[]) => string[] {
  const shown = all.map((facts) => facts.map(visible));
  const most = Math.max(0, ...shown.map((facts) => facts.length - 1));
  const widths = Array.from({ length: most }, (_, at) => widest(shown.map((facts) => facts[at] ?? "")));
  const aligned = (facts: readonly string[]) =>
    facts.map((fact, at) => fact.padStart(padTo(fact, widths[at]))).join(GAP);
  if (shown.every((facts) => textWidth(aligned(facts)) <= width)) return (facts) => lineOf(aligned(facts.map(visible)));
  return (facts) => lineOf(facts.map(visible).filter(Boolean).join(", ")).flatMap((line) => wrapped(line, width));
}

/** In characters what a text has to be padded to, to be so many columns wide. */
function padTo(text: string, width = 0): number {
  return width - textWidth(text) + text.length;
}

export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

function lineOf(text: string): string[] {
  return text.trim() === "" ? [] : [text.trimEnd()];
}
