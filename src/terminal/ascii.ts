import { type ColorEnvironment, hasUnicode } from "./capabilities.ts";
import type { Output } from "./streams/output.ts";

/** What stands for each printed character beyond ASCII. Characters of drawings keep their width. */
const ASCII: Readonly<Record<string, string>> = {
  "✓": "+",
  "✗": "x",
  "●": "*",
  "○": "o",
  "‖": "=",
  "·": "-",
  "–": "-",
  "×": "x",
  "█": "#",
  "░": ".",
  "▁": "_",
  "▂": ".",
  "▃": "-",
  "▄": "=",
  "▅": "+",
  "▆": "*",
  "▇": "%",
  "→": "->",
  "↑": "up",
  "↓": "down",
  "…": "...",
};
const SPINNER = /[\u2800-\u28ff]/g;
const OURS = new RegExp(`[${Object.keys(ASCII).join("")}]`, "g");

/** Returns a text with ASCII icons. Other characters stay. */
export function asciiText(text: string): string {
  return text.replace(OURS, (sign) => ASCII[sign] ?? sign).replace(SPINNER, "*");
}

/** The one-column mark of a cut cell. */
export const ASCII_CUT = "~";

/** Returns a drawn text with its signs in ASCII. The end of a cut cell keeps its width. */
export function asciiDrawing(text: string): string {
  return asciiText(text.replaceAll("…", ASCII_CUT));
}

export function showsAscii({ isTerminal }: Pick<Output, "isTerminal">, env: ColorEnvironment): boolean {
  return isTerminal && !hasUnicode(env);
}

/** Returns the output for people: on an ASCII terminal, their icons are ASCII. Data is never written to it. */
export function asciiOutput(output: Output, env: ColorEnvironment): Output {
  if (!showsAscii(output, env)) return output;
  const write = async (text: string | Uint8Array) =>
    await output.write(typeof text === "string" ? asciiDrawing(text) : text);
  return Object.create(output, { write: { value: write } });
}
