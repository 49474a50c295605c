import type { Problems } from "../contract/problems.ts";
import { isRfc3339Day } from "../contract/rfc3339.ts";
import { parseDuration } from "./duration.ts";
import { parseSourced } from "./sourced.ts";

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const AGE = /^([0-9]{1,6})([smhdw])$/;
const DATE =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$/;

export const SINCE = [
  "--since <time>",
  "Only since this time: an age, e.g. 24h or 30d, or a date in UTC, e.g. 2026-11-01",
] as const;

export function sinceFlag(
  problems: Problems,
  text: string | undefined,
  now: number,
  flag = "--since",
): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ""] = AGE.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const time = DATE.test(text) && isRfc3339Day(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  problems.add(flag, "must be an age, e.g. 30m, 24h, or 30d, or a date, e.g. 2026-11-01 or 2026-11-01T12:00Z", text);
  return undefined;
}

/** Returns the milliseconds of an age, typed as for `--since` or as a duration; undefined if missing or invalid. */
export function ageFlag(problems: Problems, flag: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const isDuration = !DATE.test(text) && !/^[0-9]{1,6}[dw]$/.test(text);
  if (isDuration) return parseSourced({ value: text, from: flag }, parseDuration, problems.found)?.value;
  const since = sinceFlag(problems, text, now, flag);
  if (since === undefined || since <= now) return since && now - since;
  problems.add(flag, "lies in the future", text);
  return undefined;
}
