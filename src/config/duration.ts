import { LONGEST_TIMER } from "../timing.ts";
import { RuleError } from "./sourced.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses `20ms`, `30s`, `1.5s`, `2m`, `1h`. @returns milliseconds, 0 only if allowed @throws RuleError */
export function parseDuration(text: string, { zero = false } = {}): number {
  const found = /^([0-9]+(?:\.[0-9]+)?)([a-z]*)$/.exec(text);
  if (!found) throw new RuleError("must be a number with a unit, e.g. 30s", text);
  const [, digits = "", unit = ""] = found;
  if (unit === "") throw new RuleError("needs a unit, e.g. 30s", text);
  const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (size === undefined) throw new RuleError("has an unknown unit; known: ms, s, m, h", text);
  const milliseconds = Math.round(Number(digits) * size);
  if (milliseconds > LONGEST_TIMER) throw new RuleError("is too long; at most 596h", text);
  if (milliseconds === 0 && !zero) throw new RuleError("must be more than zero", text);
  return milliseconds;
}
