import { readdirSync, readFileSync } from "node:fs";
import { receivedTime } from "../../../src/contract/reply/received-time.ts";

test.each([
  "-271821-04-20T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "+010000-01-01T00:00:00Z",
  "never",
  "",
  null,
  undefined,
  0,
  { odd: 1 },
])("%j is not a time", (value) => expect(receivedTime(value)).toBeNaN());

test.each([
  ["2026-11-21T03:12:07.000Z", 1_795_230_727_000],
  ["Sat, 21 Nov 2026 03:12:07 GMT", 1_795_230_727_000],
  ["9999-12-31T23:59:59.999Z", 253_402_300_799_999],
])("%s is a time, and an hour and a year later is one too", (text, time) => {
  expect(receivedTime(text)).toBe(time);
  expect(() => new Date(time + 366 * 86_400_000).toISOString()).not.toThrow();
});

/** What the user types, what the machine shows, and constants. */
const OTHERS =
  /^src\/(?:embedded-server\/|contract\/(?:rfc3339|reply\/received-time|requests\/|transaction\/past-problem)|config\/|commands\/history\/since\b|doctor\/checks\/(?:machine|service)-checks\b)/;

test("no other file parses times that are received", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file}`)
    .filter((file) => file.endsWith(".ts") && !OTHERS.test(file));
  expect(files.filter((file) => readFileSync(file, "utf8").includes("Date.parse("))).toEqual([]);
});
