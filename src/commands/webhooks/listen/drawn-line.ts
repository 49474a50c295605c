import { asciiText } from "../../../terminal/ascii.ts";
import { visible } from "../../../terminal/escape.ts";
import { SIGNS } from "../../../terminal/signs.ts";
import type { Style } from "../../../terminal/style.ts";
import { cut } from "../../../terminal/text/cut.ts";
import { spacesAfter, textWidth } from "../../../terminal/width.ts";
import { wrapped } from "../../../terminal/wrap.ts";
import type { Meaning } from "./meaning.ts";

/** The terminal, or pipe, that lines are drawn for. */
export interface LineTerminal {
  /** Infinity for a pipe. */
  columns: number;
  style: Style;
  /** Whether lines have no signs: for a screen reader, and in a pipe. */
  isPlain: boolean;
  isAscii: boolean;
}

/** An event as one line. Texts are raw. */
export interface EventLine {
  /** Milliseconds since 1970. */
  receivedAt: number;
  meaning: Meaning;
  /** What is unusual about its delivery: `late`, `unsigned`, `key 2`. */
  marks: readonly string[];
  /** The label of its receiver: `@treasury`. */
  label?: string | undefined;
}

const GAP = "  ";
/** The longest state that the columns are aligned to. */
const STATE = "submitted".length;
/** The longest text of an event that is drawn. No ID of the service is as long, so that none is cut. */
const LONGEST_TEXT = 400;

/**
 * Returns `14:02:13Z ✓ confirmed  eth-main-1  83620d65-…`, and the meaning after it. What does not fit into the line
 * continues below its state; an ID is never broken.
 */
export function drawnLine({ receivedAt, meaning, marks, label }: EventLine, terminal: LineTerminal): string {
  const { style, columns, isPlain, isAscii } = terminal;
  const { sign, tone, see } = meaning;
  const time = `${new Date(receivedAt).toISOString().slice(11, 19)}Z`;
  const state = cut(meaning.state, LONGEST_TEXT);
  const signText = isPlain ? "" : `${style.cell({ text: SIGNS[sign.sign], tone: sign.tone })} `;
  const indent = time.length + 1 + (isPlain ? 0 : 2);
  const start = `${style.faint(time)} ${signText}${style.cell({ text: state, tone })}`;
  const line = flowing(start, { width: indent + textWidth(state), indent, columns });
  const ids = [meaning.relayer, meaning.subject].flatMap((id) => (id === undefined ? [] : cut(id, LONGEST_TEXT)));
  for (const [index, id] of ids.entries()) line.add(id, (index === 0 ? spacesAfter(state, STATE) : "") + GAP);
  const to = label === undefined ? [] : [`to ${label}`];
  const words = meaning.words === undefined ? [] : [cut(meaning.words, LONGEST_TEXT)];
  const notes = [...to, ...marks, ...words].join(" · ");
  if (line.fits(notes, GAP)) line.add(notes, GAP, style.faint);
  else for (const part of wrapped(notes, columns - indent)) line.below(part, style.faint);
  if (see !== undefined && columns < Number.POSITIVE_INFINITY) line.below(visible(see), style.faint);
  return `${isAscii ? asciiText(line.text()) : line.text()}\n`;
}

/** Returns a line that texts are added to; what does not fit goes below it, indented. */
function flowing(start: string, { width, indent, columns }: { width: number; indent: number; columns: number }) {
  let text = start;
  let taken = width;
  const plain = (shown: string) => shown;
  const fits = (more: string, gap: string) => taken + gap.length + textWidth(more) <= columns;
  const below = (more: string, colored = plain) => {
    text += `\n${" ".repeat(indent)}${colored(more)}`;
    taken = indent + textWidth(more);
  };
  return {
    fits,
    below,
    add(more: string, gap: string, colored = plain) {
      if (more === "") return;
      if (!fits(more, gap)) return below(more, colored);
      text += gap + colored(more);
      taken += gap.length + textWidth(more);
    },
    text: () => text,
  };
}
