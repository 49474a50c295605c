import fc from "fast-check";
import { idPathPart, idProblem, newIdProblem } from "../../src/contract/id.ts";
import { operationPath } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { anyCharacter } from "../helpers/any-character.ts";

test.each([
  ["", "is empty"],
  [".", "would change the path"],
  ["..", "would change the path"],
  ["a/b", "a slash or a control character"],
  ["../x", "a slash or a control character"],
  ["a\nb", "a slash or a control character"],
  ["a\u0000", "a slash or a control character"],
  ["\u009b", "a slash or a control character"],
  ["\ud800", "a lone surrogate"],
  ["true", "a flag such as --paused takes no value"],
  ["false", "a flag such as --paused takes no value"],
])("an ID that would change the path is rejected: %j", (id, problem) => {
  expect(idProblem(id)).toContain(problem);
  expect(() => idPathPart(id)).toThrow(RangeError);
});

test.each(["eth-main-1", "...", "evm:sepolia", "%2e%2e", "a b", "é", "😀", "a?b#c", "True"])("%s is a valid ID", (id) =>
  expect(idProblem(id)).toBeUndefined(),
);

describe("an ID in a path", () => {
  const { "relayers.update": update, "tx.replace": replace, "relayers.list": list } = operations;

  test("is percent-encoded", () =>
    expect(operationPath(update, { relayer_id: "a b?c#%2e:é" })).toBe("/api/v1/relayers/a%20b%3Fc%23%252e%3A%C3%A9"));

  test("is put in its place", () => {
    expect(operationPath(replace, { relayer_id: "r", transaction_id: "t" })).toBe("/api/v1/relayers/r/transactions/t");
    expect(operationPath(list)).toBe("/api/v1/relayers");
  });

  test("cannot be omitted", () => expect(() => operationPath(replace, { relayer_id: "r" })).toThrow(RangeError));

  test("is a single part of the path, and can be decoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (id) => {
        if (idProblem(id)) return;
        const url = new URL(operationPath(update, { relayer_id: id }), "http://service.example");
        const parts = url.pathname.split("/");
        expect([parts.length, decodeURIComponent(parts[4] ?? ""), url.search + url.hash]).toEqual([5, id, ""]);
      }),
    );
  });
});

describe("a new ID must follow the service's rule", () => {
  test.each([
    ["", "ID cannot be empty"],
    ["x".repeat(37), "ID must not exceed 36 characters"],
    ["é", "ID must contain only letters, numbers, dashes and underscores"],
    ["a b", "ID must contain only letters"],
    ["a/b", "ID must contain only letters"],
    ["true", "unexpected: a flag such as --paused takes no value"],
  ])("%s: %s", (id, words) => expect(newIdProblem(id)).toContain(words));

  test.each(["a", "x".repeat(36), "eth-main_1", "3f0c2f57-7d0e-4c2e-9d43-0a1b2c3d4e5f"])("%s is valid", (id) => {
    expect(newIdProblem(id)).toBeUndefined();
  });
});
