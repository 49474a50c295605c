import { type Client, createClient } from "../../../src/client/client.ts";
import type { Operation } from "../../../src/contract/operation.ts";
import { operations } from "../../../src/contract/operations.ts";
import { anything } from "../../../src/contract/reply/shape.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

const masked = { custom_rpc_urls: [{ url: "https://h" }, { url: "https://h/***" }] };

const network: Operation = { id: "api", kind: "patch", method: "PATCH", path: "/networks/evm:x", data: anything };

test.each<[string, (client: Client) => Promise<unknown>, string]>([
  ["with an ID that would change the path", (client) => client.relayers.update("..", { paused: true }), "relayer_id"],
  ["with an empty ID", (client) => client.relayers.get(""), "relayer_id"],
  ["with a slash in an ID", (client) => client.tx.replace("r1", "a/b", { value: 1 }), "transaction_id"],
  ["with a masked URL", (client) => client.relayers.update("r1", masked), "custom_rpc_urls.1.url"],
  ["with a number that was rounded", (client) => client.tx.replace("r1", "t1", { value: 2 ** 53 }), "value"],
  ["with a large number", (client) => client.tx.send("r1", { value: 1e21 } as never), "value"],
  ["with no number", (client) => client.tx.replace("r1", "t1", { value: Number.NaN }), "value"],
  ["with half a character", (client) => client.relayers.update("r1", { name: "\ud800" }), "name"],
  ["with a function", (client) => client.relayers.update("r1", { name: (() => "r1") as never }), "name"],
  [
    "with a symbol",
    (client) => client.relayers.update("r1", { policies: { a: [Symbol("r1")] } as never }),
    "policies.a.0",
  ],
  [
    "with an item that is missing",
    (client) => client.relayers.update("r1", { policies: { whitelist_receivers: [undefined] } as never }),
    "policies.whitelist_receivers.0",
  ],
  ["with a hole in a list", (client) => client.relayers.rpc("r1", { method: "a", params: Array(1) }), "params.0"],
  ["with a date", (client) => client.relayers.update("r1", { name: new Date(0) as never }), "name"],
  ["with a body of a class", (client) => client.relayers.update("r1", new Date(0) as never), "body"],
  ["with a map", (client) => client.relayers.update("r1", { policies: new Map([["a", 1]]) as never }), "policies"],
  ["with a boxed integer", (client) => client.tx.replace("r1", "t1", { value: Object(5n) }), "value"],
  [
    "with half a character in a key",
    (client) => client.relayers.update("r1", { policies: { "\ud800": {} } }),
    "policies.\ud800",
  ],
  [
    "with a rounded parameter",
    (client) => client.relayers.rpc("r1", { method: "eth_call", params: [{ value: 2 ** 60 }] }),
    "params.0.value",
  ],
  [
    "with a masked URL in an arbitrary request",
    (client) =>
      client.request({ operation: operations["relayers.update"], parameters: { relayer_id: "r1" }, body: masked }),
    "custom_rpc_urls.1.url",
  ],
  [
    "with a masked URL of a network",
    (client) => client.request({ operation: network, body: { rpc_urls: ["https://h/***"] } }),
    "rpc_urls.0.url",
  ],
])("the client refuses every invalid request: %s", async (_, send, where) => {
  const service = scriptedService();
  const error = await errorOf(send(createClient(testClientContext(service.transport))));
  expect(error).toMatchObject({ failure: "usage", details: [{ where }] });
  expect(service.requests).toEqual([]);
});
