import { parseDuration } from "../../src/config/duration.ts";
import { RuleError } from "../../src/config/sourced.ts";

test.each([
  ["20ms", 20],
  ["30s", 30_000],
  ["1.5s", 1_500],
  ["2m", 120_000],
  ["1h", 3_600_000],
  ["0.4ms", undefined],
  ["596h", 2_145_600_000],
])("reads %s", (text, milliseconds) => {
  if (milliseconds === undefined) expect(() => parseDuration(text)).toThrow("more than zero");
  else expect(parseDuration(text)).toBe(milliseconds);
});

test.each([
  ["30", "needs a unit, e.g. 30s"],
  ["0", "needs a unit, e.g. 30s"],
  ["", "must be a number with a unit, e.g. 30s"],
  ["-1s", "must be a number with a unit, e.g. 30s"],
  ["1e3s", "must be a number with a unit, e.g. 30s"],
  ["1 s", "must be a number with a unit, e.g. 30s"],
  [".5s", "must be a number with a unit, e.g. 30s"],
  ["30S", "must be a number with a unit, e.g. 30s"],
  ["3d", "has an unknown unit; known: ms, s, m, h"],
  ["1constructor", "has an unknown unit; known: ms, s, m, h"],
  ["Infinity", "must be a number with a unit, e.g. 30s"],
  ["0s", "must be more than zero"],
  ["597h", "is too long; at most 596h"],
  ["99999999999999999999h", "is too long; at most 596h"],
])("rejects %j", (text, rule) => {
  expect(() => parseDuration(text)).toThrow(rule);
  expect(() => parseDuration(text)).toThrow(RuleError);
});

test("accepts zero on request", () => expect(parseDuration("0ms", { zero: true })).toBe(0));
