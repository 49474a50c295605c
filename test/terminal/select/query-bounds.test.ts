import { expect, test } from "vitest";
import { RelayctlError } from "../../../src/errors.ts";
import { parseQuery } from "../../../src/terminal/select/query.ts";

test.each([
  ["(", "is nested more than 50 deep"],
  ["[", "is nested more than 50 deep"],
  ["{a:", "is nested more than 50 deep"],
  ["!", "has more than 4096 characters"],
  ["a.", "has more than 4096 characters"],
])("an expression of thousands of %s is refused at once", async (part, rule) => {
  const length = rule.startsWith("has") ? 4_097 : 1_000;
  const error = await parseQuery(part.repeat(length)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(RelayctlError);
  expect((error as RelayctlError).failure).toBe("usage");
  expect((error as RelayctlError).message).toContain(rule);
});

test("an expression of fifty levels is read", async () => {
  const query = await parseQuery(`${"(".repeat(50)}a${")".repeat(50)}`);
  expect(query({ a: 1 })).toBe(1);
});
