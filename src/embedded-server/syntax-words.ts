import type { JsonSyntaxError } from "../contract/json.ts";

/** The words of the service's own reader for what ours refuses. */
const WORDS: Readonly<Record<string, string>> = {
  "a value was expected": "expected value",
  "a member name in quotes was expected": "key must be a string",
  ": was expected": "expected `:`",
  "} was expected": "expected `,` or `}`",
  "] was expected": "expected `,` or `]`",
  "unexpected text after the end of the document": "trailing characters",
};

/** Explains why a body is not JSON, as the service reports it (facts 13.8). Its columns count what was read. */
export function syntaxWords({ reason, line, column }: JsonSyntaxError, text: string): string {
  const lines = text.split("\n");
  const isAtEnd = line === lines.length && column > (lines.at(-1) ?? "").length;
  if (isAtEnd) return `EOF while parsing ${openAtEnd(text)} at line ${line} column ${column - 1}`;
  return `${WORDS[reason] ?? reason} at line ${line} column ${column}`;
}

/** What is still open where a text ends. */
function openAtEnd(text: string): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  const last = parts.at(-1) ?? "";
  if (/^"(?:[^"\\]|\\.)*$/.test(last)) return "a string";
  const open: string[] = [];
  for (const part of parts) {
    if (part === "{" || part === "[") open.push(part);
    else if (part === "}" || part === "]") open.pop();
  }
  if (last === ":" || last === "," || open.length === 0) return "a value";
  return open.at(-1) === "{" ? "an object" : "a list";
}
