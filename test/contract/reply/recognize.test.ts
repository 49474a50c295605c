import { operationPath } from "../../../src/contract/operation.ts";
import { operations } from "../../../src/contract/operations.ts";
import { recognize } from "../../../src/contract/reply/recognize.ts";

describe("a request is recognized by its method and path", () => {
  test.each(Object.values(operations))("$id", (operation) => {
    const names = [...operation.path.matchAll(/\{(\w+)(?:\.\.\.)?\}/g)].map(([, name]) => name);
    const parameters = Object.fromEntries(names.map((name) => [name, `an id: ${name}`]));
    const found = recognize(operation.method, operationPath(operation, parameters));
    expect(found?.operation.id).toBe(operation.id);
    expect(found?.parameters).toEqual(parameters);
  });

  test.each(["/api/v1/relayers/r1/", "//api//v1//relayers//r1", "/api/v1/relayers/%72%31", "/api/v1/relayer%73/r1"])(
    "in any spelling of the path: %s",
    (path) => {
      expect(recognize("PATCH", path)).toMatchObject({
        operation: { id: "relayers.update" },
        parameters: { relayer_id: "r1" },
      });
    },
  );
});

test("the pending transactions are not a transaction with that name", () => {
  const found = recognize("DELETE", "/api/v1/relayers/r1/transactions/pending");
  expect(found).toMatchObject({ operation: { id: "tx.delete-pending" }, parameters: { relayer_id: "r1" } });
});

test("a plugin's route is the rest of the path with its slashes, and never empty", () => {
  expect(recognize("POST", "/api/v1/plugins/p%3A1/call//v1/a%20b/")).toMatchObject({
    operation: { id: "plugins.call-route" },
    parameters: { plugin_id: "p:1", route: "v1/a b" },
  });
  expect(recognize("GET", "/api/v1/plugins/p1/call/")).toMatchObject({ operation: { id: "plugins.call-get" } });
  expect(recognize("POST", "/api/v1/plugins/p1/call/%zz")).toBeUndefined();
  const { "plugins.call-route": operation } = operations;
  expect(operationPath(operation, { plugin_id: "p:1", route: "v1/a b" })).toBe("/api/v1/plugins/p%3A1/call/v1/a%20b");
});

test.each([
  ["PUT", "/api/v1/relayers"],
  ["PUT", "/api/v1/relayers/r1"],
  ["PATCH", "/api/v1/relayers/r1/transactions/t1"],
  ["PATCH", "/api/v2/relayers/r1"],
  ["PATCH", "/xxxxxxx/relayers/r1"],
  ["PATCH", "/relayers/r1"],
  ["PATCH", "/api/v1/Relayers/r1"],
  ["PATCH", "/api/v1/relayers/%zz"],
  ["GET", "/"],
] as const)("%s %s is unknown", (method, path) => expect(recognize(method, path)).toBeUndefined());
