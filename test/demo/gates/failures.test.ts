import { expect, test } from "vitest";
import { createFailures, type InjectedFailure } from "../../../src/demo/gates/failures.ts";

const always = { fraction: () => 0 };

function met(rule: Partial<InjectedFailure>, method: string, path: string, random = always) {
  const failures = createFailures([{ method: "*", path: "*", status: 500, rate: 1, ...rule }], random);
  return failures(method, path);
}

test.each([
  ["*", "*", true],
  ["PUT", "*", true],
  ["GET", "*", false],
  ["*", "/api/v1/relayers/*", true],
  ["*", "/api/v1/relayers/*/transactions/*", true],
  ["*", "/api/v1/relayers", false],
  ["*", "*/transactions/t.1", true],
  ["*", "*/transactions/t?1", false],
  ["*", "*/transactions/tx1", false],
])("a rule for %s %s", (method, path, fits) => {
  const failure = met({ method, path }, "PUT", "/api/v1/relayers/r1/transactions/t.1");
  expect(failure?.status).toBe(fits ? 500 : undefined);
});

test("fails the share of requests that was asked for", () => {
  const fractions = [0.29, 0.3, 0.31];
  const random = { fraction: () => fractions.shift() ?? 1 };
  const failures = createFailures([{ method: "*", path: "*", status: 500, rate: 0.3 }], random);
  expect([1, 2, 3].map(() => failures("GET", "/")?.status)).toEqual([500, undefined, undefined]);
});

test.each([
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [404, "Not found"],
  [418, "Bad Request"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [503, "Internal Server Error"],
])("a failure of status %i has the words %s", (status, message) => {
  const failure = met({ status }, "GET", "/");
  expect([failure?.status, failure?.message]).toEqual([status, message]);
});

test("a 429 on purpose has its header too", () => {
  expect(met({ status: 429 }, "GET", "/")?.headers).toEqual({ "retry-after": "0" });
});
