import type { Style } from "../style.ts";
import type { Tone } from "../view.ts";

/** A text of JSON, with the colon after it if it is a key; a number; or a word. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?[0-9][0-9.eE+-]*|true|false|null/g;

/** A text of more characters could take more stack than there is. */
const MOST_COLORED = 2 ** 22;

/** Returns JSON with colored values, unless it is very long. Without its colors it is the same text. */
export function coloredJson(json: string, style: Style): string {
  if (json.length > MOST_COLORED) return json;
  return json.replace(TOKEN, (token, text?: string, colon?: string) => {
    if (text !== undefined && colon !== undefined) return style.faint(text) + colon;
    return style.cell({ text: token, tone: tokenTone(token) });
  });
}

function tokenTone(token: string): Tone {
  if (token.startsWith('"')) return "good";
  return token === "null" ? "faint" : "warn";
}
