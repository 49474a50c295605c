import type { JsonValue } from "./json.ts";
import { receivedTime } from "./reply/received-time.ts";

const UNITS = [
  ["d", "day", 86_400_000],
  ["h", "hour", 3_600_000],
  ["m", "minute", 60_000],
] as const;
const SECONDS = ["s", "second", 1_000] as const;

/** Milliseconds by which two working clocks may differ. A time further ahead is in the future. */
const CLOCK_SKEW = 15 * 60_000;

/** Returns an age in milliseconds in its largest unit: `3h`, or `in 20m` for a time in the future. */
export function ageText(age: number): string {
  if (age < -CLOCK_SKEW) return `in ${ageText(-age)}`;
  const [unit, , size] = unitFor(age);
  return `${Math.floor(Math.max(0, age) / size)}${unit}`;
}

/** Returns the same as the time at which something happened: `3h ago`, or `in 20m`. */
export function shortAgoText(age: number): string {
  return age < -CLOCK_SKEW ? ageText(age) : `${ageText(age)} ago`;
}

/** Returns an age in milliseconds in words: `93 days ago`, or `in 20 minutes` for a time in the future. */
export function agoText(age: number): string {
  return age < -CLOCK_SKEW ? `in ${inWords(-age)}` : `${inWords(Math.max(0, age))} ago`;
}

function inWords(age: number): string {
  const [, word, size] = unitFor(age);
  const count = Math.floor(age / size);
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function unitFor(age: number) {
  return UNITS.find(([, , size]) => age >= size) ?? SECONDS;
}

export function timeText(time: number): string {
  return new Date(time)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}

/** Returns the seconds since a time of the service; null if absent or in the future. */
export function secondsSince(value: JsonValue | undefined, now: number): number | null {
  const time = receivedTime(value);
  return time <= now + CLOCK_SKEW ? Math.max(0, Math.floor((now - time) / 1_000)) : null;
}
