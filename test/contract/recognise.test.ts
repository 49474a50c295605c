import { describe, expect, test } from "vitest";
import { operationPath } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { recognise } from "../../src/contract/recognise.ts";

describe("a request is recognised by method and path", () => {
  test.each(Object.values(operations))("$id", (operation) => {
    const parameters = { relayer_id: "a b", transaction_id: "t/1".replace("/", "-"), notification_id: "n:1" };
    const found = recognise(operation.method, operationPath(operation, parameters));
    expect(found?.operation.id).toBe(operation.id);
    for (const [name, value] of Object.entries(found?.parameters ?? {})) expect(parameters).toHaveProperty(name, value);
  });

  test.each(["/api/v1/relayers/r1/", "//api//v1//relayers//r1", "/api/v1/relayers/%72%31", "/api/v1/relayer%73/r1"])(
    "however the path is written: %s",
    (path) => {
      expect(recognise("PATCH", path)).toMatchObject({
        operation: { id: "relayers.update" },
        parameters: { relayer_id: "r1" },
      });
    },
  );
});

test.each([
  ["PUT", "/api/v1/relayers"],
  ["DELETE", "/api/v1/relayers/r1"],
  ["PATCH", "/api/v1/relayers/r1/transactions/t1"],
  ["PATCH", "/api/v2/relayers/r1"],
  ["PATCH", "/xxxxxxx/relayers/r1"],
  ["PATCH", "/relayers/r1"],
  ["PATCH", "/api/v1/Relayers/r1"],
  ["PATCH", "/api/v1/relayers/%zz"],
  ["GET", "/"],
] as const)("%s %s is not known", (method, path) => {
  expect(recognise(method, path)).toBeUndefined();
});
