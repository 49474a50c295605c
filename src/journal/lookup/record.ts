import { join } from "node:path";

export interface Location {
  file: string;
  offset: number;
  length: number;
}

/** The digest of a key in the lookup files. Two keys with one digest are rare, and harmless. */
export type KeyMark = ReturnType<typeof lookupMark>;

export const LOOKUP = "lookup";
export const BUCKETS = 256;
/** The 32-bit numbers of a record: the digest, the month, the two halves of the offset, and the length. */
const NUMBERS = 6;
/** The checksum of an empty lookup file. */
export const NO_SUM = 0x811c9dc5;
const [PRIME, OTHER_PRIME] = [0x01000193, 0x85ebca6b];
const HALF = 2 ** 32;
const EXTENSION = ".ndjson";

export function bucketPath(bucket: number): string {
  return join(LOOKUP, bucket.toString(16).padStart(2, "0"));
}

/** Returns the mark of a key, of fixed size. Node's hashes would take longer to load. */
export function lookupMark(key: string) {
  let high = NO_SUM;
  let low = key.length;
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index);
    high = Math.imul(high ^ unit, PRIME);
    low = Math.imul((low << 13) ^ (low >>> 19) ^ unit, OTHER_PRIME);
  }
  high = mixBits(high ^ (low >>> 16));
  low = mixBits(low ^ (high >>> 16));
  return { bucket: high >>> 24, high, low };
}

function mixBits(number: number): number {
  const half = Math.imul(number ^ (number >>> 15), OTHER_PRIME);
  return (half ^ (half >>> 13)) >>> 0;
}

export function addLookupRecord(numbers: number[], { high, low }: KeyMark, { file, offset, length }: Location): void {
  const month = Number(file.slice(0, 4)) * 12 + Number(file.slice(5, 7)) - 1;
  numbers.push(high, low, month, Math.floor(offset / HALF), offset % HALF, length);
}

export function lookupLocations(numbers: Uint32Array, marks: readonly KeyMark[]): Location[] {
  const found: Location[] = [];
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    const [high, low] = [numbers[at], numbers[at + 1]];
    for (const mark of marks) if (mark.high === high && mark.low === low) found.push(locationAt(numbers, at));
  }
  return found;
}

function locationAt(numbers: Uint32Array, at: number): Location {
  const [, , month = 0, upper = 0, lower = 0, length = 0] = numbers.subarray(at, at + NUMBERS);
  const file = `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
  return { file: `${file}${EXTENSION}`, offset: upper * HALF + lower, length };
}

/** Continues the checksum of a lookup file: fast, and enough to find damage. */
export function lookupSum(numbers: ArrayLike<number>, start = NO_SUM): number {
  let sum = start;
  for (let at = 0; at < numbers.length; at++) sum = Math.imul(sum ^ (numbers[at] ?? 0), PRIME);
  return sum >>> 0;
}
