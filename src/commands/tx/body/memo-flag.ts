import type { JsonObject } from "../../../contract/json.ts";
import type { Problems } from "../../../contract/problems.ts";

/** The memo types of interface 3.4. */
export const MEMO_TYPES = ["none", "text", "id", "hash", "return"];

/** Parses `--memo TYPE[:VALUE]`: `none`, `text:hello`, `id:7`, or `hash:` and `return:` with hex (interface 3.4). */
export function parseMemo(problems: Problems, text: string): JsonObject | undefined {
  const at = text.indexOf(":");
  const type = at < 0 ? text : text.slice(0, at);
  const value = at < 0 ? undefined : text.slice(at + 1);
  const problem = getProblem(type, value);
  if (problem) {
    problems.add("--memo", problem, text);
    return undefined;
  }
  if (value === undefined) return { type };
  if (type === "id") return { type, value: BigInt(value) };
  return { type, value: type === "text" ? value : listBytes(value) };
}

function getProblem(type: string, value: string | undefined): string | undefined {
  if (!MEMO_TYPES.includes(type)) return `its type must be one of ${MEMO_TYPES.join(", ")}`;
  if (type === "none") return value === undefined ? undefined : "none does not take a value";
  if (value === undefined) return `needs a value: ${type}:VALUE`;
  if (type === "id" && !/^[0-9]+$/.test(value)) return "an id must be a whole number from 0";
  if ((type === "hash" || type === "return") && !/^[0-9a-f]{64}$/i.test(value)) return `a ${type} has 64 hex digits`;
  return undefined;
}

function listBytes(hex: string): number[] {
  return Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}
