import { headerProblem, mergedHeaders, NO_NAME } from "../../contract/header-rules.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Problem } from "../../errors.ts";

export type Headers = Readonly<Record<string, string>>;

/** Reads lines `Name: value`. A line that breaks a rule is added to the problems, without its value. */
export function readHeaderLines(lines: readonly string[], where: string, problems: Problem[]): Headers {
  const found = new Map<string, string>();
  const names = new Set<string>();
  for (const line of lines) {
    const colon = Math.max(line.indexOf(":"), 0);
    const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")];
    const rule = headerProblem(name, value) ?? (names.has(name.toLowerCase()) ? "is specified twice" : undefined);
    names.add(name.toLowerCase());
    if (rule === NO_NAME) problems.push({ where, rule: "must be a name, a colon, and a value" });
    else if (rule !== undefined) problems.push({ where, given: name, rule });
    else found.set(name, value);
  }
  return Object.fromEntries(found);
}

/** Returns the headers of a JSON object, or why it has none to send. It quotes no value. */
export function headersIn(value: JsonValue): { headers: Headers } | { rule: string } {
  if (!isJsonObject(value)) return { rule: "has no names and values of headers" };
  const headers: Record<string, string> = Object.create(null);
  for (const [name, text] of Object.entries(value)) {
    const rule = typeof text === "string" ? headerProblem(name, text) : "is not a text";
    if (rule === NO_NAME) return { rule: "has a member that is not the name of a header" };
    if (typeof text !== "string" || rule !== undefined) return { rule: `has the header ${name}, which ${rule}` };
    headers[name] = text;
  }
  return { headers: mergedHeaders(headers) };
}
