import type { JsonValue } from "../contract/json.ts";

const UNITS = [
  ["d", "day", 86_400_000],
  ["h", "hour", 3_600_000],
  ["m", "minute", 60_000],
] as const;
const SECONDS = ["s", "second", 1_000] as const;

/** Returns an age in milliseconds in its largest unit: `3h`. */
export function ageText(age: number): string {
  const [unit, , size] = unitOf(age);
  return `${Math.floor(age / size)}${unit}`;
}

/** Returns an age in milliseconds in words: `93 days ago`. */
export function agoText(age: number): string {
  const [, word, size] = unitOf(age);
  const count = Math.floor(age / size);
  return `${count} ${word}${count === 1 ? "" : "s"} ago`;
}

function unitOf(age: number) {
  return UNITS.find(([, , size]) => age >= size) ?? SECONDS;
}

/** Returns a time as in `2026-08-20 10:00:00Z`, to the second. */
export function timeText(time: number): string {
  return new Date(time)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}

/** Returns the whole seconds since a time of the service; null if the time is absent or to come. */
export function secondsSince(value: JsonValue | undefined, now: number): number | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return time <= now ? Math.floor((now - time) / 1_000) : null;
}
