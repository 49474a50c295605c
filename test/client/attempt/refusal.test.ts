import { type Client, createClient } from "../../../src/client/client.ts";
import type { Operation } from "../../../src/contract/operation.ts";
import { operations } from "../../../src/contract/operations.ts";
import { anything } from "../../../src/contract/reply/shape.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { refusal, reply } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

const failureOf = (answer: WireReply) =>
  errorOf(createClient(testClientContext(async () => answer, { retries: 0 })).relayers.update("r1", { paused: true }));

describe("the message of a failure", () => {
  const envelope = (fields: object) => ({ success: false, data: null, ...fields });

  test.each<[string, WireReply, string]>([
    ["is the error", reply(400, envelope({ error: "one", message: "two" })), "one"],
    ["is the message if the error is blank", reply(400, envelope({ error: " ", message: "two" })), "two"],
    ["is the message if the error is null", reply(400, envelope({ error: null, message: "two" })), "two"],
    ["is the message rather than the error for a 401", reply(401, envelope({ error: "one", message: "two" })), "two"],
    ["is the error for a 401 without a message", reply(401, envelope({ error: "one" })), "one"],
    ["is the error of JSON without the envelope", reply(400, { error: "one", max: 1 }), "one"],
    [
      "is the body if the body is text",
      reply(400, "Json deserialize error: missing field `url`"),
      "Json deserialize error: missing field `url`",
    ],
    ["is the detail of a problem document", reply(404, { title: "Not Found", detail: "no route" }), "no route"],
    ["is the string if the body is one", reply(404, '"Not Found"'), "Not Found"],
    [
      "is the status and the body if the body is JSON without a message",
      reply(400, '{"code":5}'),
      'HTTP 400; the response contains no message: {"code":5}',
    ],
    ["is the status if the body is blank", reply(400, " \n"), "HTTP 400"],
    ["is the status if the body is not UTF-8", { ...reply(400), body: new Uint8Array([0xff, 0xfe, 0x41]) }, "HTTP 400"],
    [
      "is one line for HTML",
      reply(413, "<!DOCTYPE html><h1>too big</h1>"),
      "HTTP 413; the response is HTML; it may come from a proxy",
    ],
    ["is one line for several lines", reply(400, envelope({ error: "a\r\n  b\tc" })), "a b c"],
  ])("%s", async (_, answer, message) => expect((await failureOf(answer)).message).toBe(message));

  test("is cut at 500 characters", async () =>
    expect((await failureOf(refusal(400, "x".repeat(2000)))).message).toHaveLength(501));

  test("hides the path of a node's URL", async () => {
    const words =
      "Transport error: error sending request for url (https://u:p@node.example/v3/KEY?a=KEY), http://[::1]:8545/KEY";
    expect((await failureOf(refusal(400, words))).message).toBe(
      "Transport error: error sending request for url (https://node.example/***), http://[::1]:8545/***",
    );
  });

  test("keeps the service's own redactions", async () => {
    const words = "Invalid RPC URL: ftp://x/[path redacted]: Invalid URL scheme 'ftp': only http and https are allowed";
    expect((await failureOf(refusal(400, words))).message).toBe(words);
  });
});

const whole = '{"success":false,"data":null,"error":"Relayer with ID r1 not found"}';

test.each([400, 401, 403, 404, 405, 409, 422])(
  "a refusal that was cut off with status %i blames no route and no gateway",
  async (status) => {
    for (const length of [1, 9, 31, whole.length - 1]) {
      const text = whole.slice(0, length);
      const message = `HTTP ${status}; the response is not complete JSON: ${text}`;
      expect(await failureOf(reply(status, text))).toMatchObject({ message, because: [], applied: "no" });
    }
  },
);

test.each([302, 400, 401, 403, 404, 409, 422, 429, 501])(
  "a write is not refused by status %i if the body says success",
  async (status) => {
    let requests = 0;
    const client = createClient(
      testClientContext(async ({ method }) => {
        if (method === "PUT") requests++;
        return reply(status, { success: true, data: { id: "t1" }, error: null });
      }),
    );
    const error = await errorOf(client.tx.replace("r1", "t1", { value: 1 }));
    expect(error).toMatchObject({ failure: "unknown", applied: "unknown" });
    expect(requests).toBe(1);
  },
);

describe("the status and the message determine the exit code", () => {
  test.each<[number, string, number]>([
    [400, "Relayer is disabled", 6],
    [400, "Relayer is paused", 6],
    [400, "Invalid transaction state for cancel_transaction. Current: Confirmed", 6],
    [400, "Cannot replace transaction with status: Confirmed", 6],
    [400, "Cannot cancel transaction with status: Failed", 6],
    [400, "Cannot delete relayer 'r1' because it has 7 transaction(s).", 6],
    [400, "Cannot create relayer: signer 's1' is already in use by relayer 'r1' on network 'x'.", 6],
    [400, "Unable to calculate sufficient price bump for speed-based replacement", 6],
    [400, "Name cannot be empty", 7],
    [403, "Relayer paused", 6],
    [403, "Relayer disabled", 6],
    [403, "this relayer is paused", 6],
    [403, "Cannot delete this", 4],
    [403, "Forbidden", 4],
    [404, "Notification with ID 'zz' not found", 5],
    [409, "Relayer is disabled", 6],
    [422, "Relayer is disabled", 7],
  ])("%i %s: %i", async (status, words, exitCode) => {
    expect(await failureOf(refusal(status, words))).toMatchObject({ exitCode, applied: "no" });
  });

  test("reports a 404 without the envelope as an unknown route or another server", async () =>
    expect(await failureOf(reply(404))).toMatchObject({
      exitCode: 7,
      because: ["route not found, or the server is not a relayer service"],
    }));
});

test("includes the request in the error for a refusal", async () =>
  expect(await failureOf(refusal(400, "no"))).toMatchObject({
    http: { status: 400, method: "PATCH", path: "/api/v1/relayers/r1" },
  }));

test("shows the version that introduced a missing route", async () => {
  const client = createClient(testClientContext(async () => reply(404), { retries: 0 }));
  expect(await errorOf(client.networks.update("evm:sepolia", { rpc_urls: ["https://h"] }))).toMatchObject({
    failure: "rejected",
    exitCode: 7,
    because: ["this service does not have this route; it was added in v1.4"],
  });
});

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
