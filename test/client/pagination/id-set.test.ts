import fc from "fast-check";
import { createIdSet, type Hash, seededIdHash } from "../../../src/client/pagination/id-set.ts";

const encoder = new TextEncoder();

function newIn(ids: readonly string[], hash: Hash, expected = 0): boolean[] {
  const set = createIdSet(hash);
  set.expect(expected);
  return ids.map((id) => {
    const bytes = encoder.encode(`"${id}"`);
    return set.add(bytes, 1, bytes.length - 1);
  });
}

function newByText(ids: readonly string[]): boolean[] {
  const seen = new Set<string>();
  return ids.map((id) => !seen.has(id) && seen.add(id) !== undefined);
}

const HASHES: readonly [string, Hash][] = [
  ["the default", seededIdHash(0x9e3779b9)],
  ["limited to four values", (bytes, start, end) => (end > start ? (bytes[start] ?? 0) & 3 : 0)],
  ["constant", () => 7],
  ["negative", (_, start, end) => start - end],
];

describe.each(HASHES)("an ID set whose hash is %s", (_, hash) => {
  test("finds the same new IDs as a set of strings", () => {
    const id = fc.oneof(fc.constantFrom("", "a", "ab", "b", "é", "日本", "\0", "a\0"), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), fc.nat(5_000), (ids, expected) => {
        expect(newIn(ids, hash, expected)).toEqual(newByText(ids));
      }),
    );
  });

  test("finds the same new IDs as a set of strings in a list that ascends for a while", () => {
    const ids = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 5 }), { maxLength: 60 });
    fc.assert(
      fc.property(ids, fc.array(fc.nat(59), { maxLength: 20 }), fc.nat(5_000), (some, later, expected) => {
        const ascending = some.sort((one, other) => Buffer.compare(encoder.encode(one), encoder.encode(other)));
        const all = [...ascending, ...later.flatMap((index) => ascending[index] ?? [])];
        expect(newIn(all, hash, expected)).toEqual(newByText(all));
      }),
    );
  });

  test("stays exact while it grows", () => {
    const ids = Array.from({ length: 1_500 }, (_, index) => `r${index}`);
    expect(newIn([...ids, ...ids], hash)).toEqual(newByText([...ids, ...ids]));
  });
});

test("stores IDs longer than a block of memory", () => {
  const long = "x".repeat(300_000);
  const ids = ["a", long, `${long}y`, "b", long, "a", "b", `${long}y`];
  expect(newIn(ids, seededIdHash(1))).toEqual(newByText(ids));
});

test("finds duplicates across blocks of memory", () => {
  const ids = Array.from({ length: 40 }, (_, index) => String(index).padStart(30_000, "0"));
  expect(newIn([...ids, ...ids], seededIdHash(1))).toEqual(newByText([...ids, ...ids]));
});

test("needs no table for IDs in ascending order", () => {
  const [ordered, mixed] = [createIdSet(seededIdHash(1)), createIdSet(seededIdHash(1))];
  const ids = Array.from({ length: 5_000 }, (_, index) => encoder.encode(String(index).padStart(6, "0")));
  for (const id of ids) ordered.add(id, 0, id.length);
  for (const id of ids.reverse()) mixed.add(id, 0, id.length);
  expect([ordered.size, mixed.size]).toEqual([5_000, 5_000]);
  expect(mixed.bytes - ordered.bytes).toBeGreaterThan(4 * 5_000);
});

test("allocates little memory even if the service reports a huge total", () => {
  const set = createIdSet(seededIdHash(1));
  const before = process.memoryUsage().arrayBuffers;
  set.expect(Number.MAX_SAFE_INTEGER);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});

test("counts each ID once in its size", () => {
  const set = createIdSet(seededIdHash(3));
  for (const id of ["a", "b", "a"]) set.add(encoder.encode(id), 0, 1);
  expect(set.size).toBe(2);
});
