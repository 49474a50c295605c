import { tryParseJson } from "../contract/json.ts";
import type { Secrets } from "../contract/secret-fields.ts";
import type { Message } from "../message.ts";
import { asciiDrawing } from "./ascii.ts";
import { escapeLines } from "./escape.ts";
import { type Links, withLinks } from "./links.ts";
import type { Output } from "./streams/output.ts";
import { createStyle } from "./style.ts";

export interface Printer {
  stdout: Output;
  secrets?: Pick<Secrets, "masked" | "mayOccurIn">;
  /** Whether tables and blocks are colored: `hasColor` for stdout. */
  color: boolean;
  /** The time that ages refer to, in milliseconds since 1970. */
  now?: number;
  /** Whether rows have no signs: for a screen reader. */
  isPlain?: boolean;
  isAscii?: boolean;
  links?: Links;
  /** Returns the labels that a terminal shows next to an address: `@treasury`. */
  labelOf?(address: string): string | undefined;
  /** Prints a line on stderr; silent with `--quiet`. */
  note(line: Message): Promise<void>;
  isQuiet?: boolean;
  /** Called before very many items pass through without being kept. */
  manyPass?(): void;
}

/** Returns the width that a table must fit. In a pipe it does not depend on the terminal. */
export function printerWidth({ stdout }: Printer): number {
  return stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
}

/** What may be an address: hex, base58, or base32. */
const ADDRESS = /\b(?:0x[0-9a-fA-F]{40}|[1-9A-Za-z]{32,69})\b/g;

export function printerLabels(text: string, { labelOf }: Pick<Printer, "labelOf">): string {
  if (!labelOf) return text;
  return text.replace(ADDRESS, (address) => {
    const label = labelOf(address);
    return label === undefined ? address : `${address} ${label}`;
  });
}

/** Writes a drawing for people, as text or in UTF-8: on an ASCII terminal, its icons are ASCII. */
export async function printDrawn(drawn: string | Uint8Array, { stdout, isAscii, links }: Printer): Promise<void> {
  const text = typeof drawn === "string" || !stdout.isTerminal ? drawn : Buffer.from(drawn).toString();
  if (typeof text !== "string") return await stdout.write(text);
  const shown = isAscii ? asciiDrawing(text) : text;
  await stdout.write(links ? withLinks(shown, links.words) : shown);
}

/** Writes a response body: to a pipe unchanged, to a terminal escaped, colored if it is JSON, and with a line ending. */
export async function printRawBody(body: Uint8Array, { stdout, color }: Printer): Promise<void> {
  if (!stdout.isTerminal) return stdout.write(body);
  const text = new TextDecoder().decode(body);
  const shown = escapeLines(text);
  const ended = shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`;
  await stdout.write(color && tryParseJson(text) !== undefined ? await printerColors(ended) : ended);
}

export async function printerColors(json: string): Promise<string> {
  const [{ coloredJson }, style] = await Promise.all([import("./formats/colored-json.ts"), createStyle(true)]);
  return coloredJson(json, style);
}
