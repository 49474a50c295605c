import { visible } from "./escape.ts";
import { columnWidth, spacesAfter } from "./text/padded.ts";
import { widthUpTo } from "./width.ts";
import { wrapped } from "./wrap.ts";

const GAP = "  ";

/**
 * Returns a function that writes the facts of several entries: in columns if all of them fit into the width, otherwise
 * each wrapped like words. Columns are right-aligned except the last, which may be ragged.
 */
export function factsWriter(
  all: readonly (readonly string[])[],
  width: number,
): (facts: readonly string[]) => string[] {
  const shown = all.map((facts) => facts.map(visible));
  const most = shown.reduce((count, facts) => Math.max(count, facts.length - 1), 0);
  const widths = Array.from({ length: most }, (_, at) => columnWidth(shown.map((facts) => facts[at] ?? "")));
  const aligned = (facts: readonly string[]) =>
    facts.map((fact, at) => spacesAfter(fact, widths[at] ?? 0) + fact).join(GAP);
  const fits = (text: string) => width === Number.POSITIVE_INFINITY || widthUpTo(text, width + 1) <= width;
  if (shown.every((facts) => fits(aligned(facts)))) return (facts) => lineOf(aligned(facts.map(visible)));
  return (facts) => lineOf(facts.map(visible).filter(Boolean).join(", ")).flatMap((line) => wrapped(line, width));
}

function lineOf(text: string): string[] {
  return text.trim() === "" ? [] : [text.trimEnd()];
}
