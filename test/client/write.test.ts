import { type Client, createClient } from "../../src/client/client.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../src/contract/json.ts";
import { recordedAs, replyOf } from "../helpers/service/recorded.ts";
import { success } from "../helpers/service/reply.ts";
import { scriptedService } from "../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

function answeredWith<T>(data: string, send: (client: Client) => Promise<T>): Promise<T> {
  return send(createClient(testClientContext(scriptedService({ reply: success(data) }).transport)));
}

const update = (patch: object) => (client: Client) => client.relayers.update("r1", patch);
const replace = (body: object, before?: JsonObject) => (client: Client) =>
  client.tx.replace("r1", "t1", body as never, { before });

test.each<[string, object, string]>([
  ["a flag", { paused: true }, '{"id":"r1","paused":true}'],
  [
    "a cap beyond 2^64",
    { policies: { gas_price_cap: 2n ** 128n - 1n } },
    `{"id":"r1","policies":{"gas_price_cap":${2n ** 128n - 1n}}}`,
  ],
  ["a null, by an absent field", { notification_id: null }, '{"id":"r1"}'],
  ["a null, by null", { custom_rpc_urls: null }, '{"id":"r1","custom_rpc_urls":null}'],
  ["a cleared policy, by an absent field", { policies: { gas_price_cap: null } }, '{"id":"r1","policies":{}}'],
  [
    "a cleared policy, by its default",
    { policies: { min_balance: null } },
    '{"id":"r1","network_type":"evm","policies":{"min_balance":1}}',
  ],
  ["all policies, by absent fields", { policies: null }, '{"id":"r1","network_type":"evm"}'],
  [
    "all policies, by their defaults",
    { policies: null },
    '{"id":"r1","network_type":"evm","policies":{"min_balance":"1","gas_limit_estimation":true}}',
  ],
])("a write succeeds if the response has the requested values: %s", async (_, patch, data) => {
  await expect(answeredWith(data, update(patch))).resolves.toMatchObject({ unconfirmed: [] });
});

describe("the outcome lists what the response does not confirm", () => {
  test.each<[string, object, string, string[]]>([
    [
      "a masked URL",
      { custom_rpc_urls: [{ url: "https://h/key" }] },
      '{"id":"r1","custom_rpc_urls":[{"url":"https://h/***"}]}',
      ["custom_rpc_urls"],
    ],
    ["a missing field", { paused: true }, '{"id":"r1"}', ["paused"]],
    [
      "a cleared policy with another value than its default",
      { policies: { min_balance: null } },
      '{"id":"r1","network_type":"evm","policies":{"min_balance":7}}',
      ["policies.min_balance"],
    ],
    [
      "a cleared policy of a relayer of unknown kind",
      { policies: { min_balance: null } },
      '{"id":"r1","policies":{"min_balance":1}}',
      ["policies.min_balance"],
    ],
    [
      "a policy left after all were cleared",
      { policies: null },
      '{"id":"r1","network_type":"evm","policies":{"gas_price_cap":5,"min_balance":1}}',
      ["policies.gas_price_cap"],
    ],
  ])("%s", async (_, patch, data, unconfirmed) => {
    expect((await answeredWith(data, update(patch))).unconfirmed).toEqual(unconfirmed);
  });

  test("a new signing key", async () => {
    const set = await answeredWith('{"id":"n1","has_signing_key":true}', (client) =>
      client.notifications.update("n1", { signing_key: "k" }),
    );
    expect(set.unconfirmed).toEqual(["signing_key"]);
  });

  test("but not a signing key that was removed or left unchanged", async () => {
    for (const signing_key of ["", null]) {
      const done = await answeredWith('{"id":"n1","has_signing_key":false}', (client) =>
        client.notifications.update("n1", { signing_key }),
      );
      expect(done.unconfirmed).toEqual([]);
    }
  });
});

describe("a write whose response differs is exit 14, applied unknown", () => {
  test.each<[string, (client: Client) => Promise<unknown>, string, string]>([
    ["a flag", update({ paused: true }), '{"id":"r1","paused":false}', "paused: requested true, got false"],
    [
      "a null that kept its value",
      update({ notification_id: null }),
      '{"id":"r1","notification_id":"n1"}',
      "notification_id: requested null, got n1",
    ],
    [
      "an amount",
      update({ policies: { gas_price_cap: 2n ** 64n } }),
      '{"id":"r1","policies":{"gas_price_cap":18446744073709552000}}',
      "policies.gas_price_cap: requested 18446744073709551616, got 18446744073709552000",
    ],
    [
      "a key that is still there",
      (client) => client.notifications.update("n1", { signing_key: "" }),
      '{"id":"n1","has_signing_key":true}',
      "has_signing_key: requested false, got true",
    ],
    [
      "a key that is missing",
      (client) => client.notifications.update("n1", { signing_key: "k" }),
      '{"id":"n1","has_signing_key":false}',
      "has_signing_key: requested true, got false",
    ],
    [
      "a price",
      replace({ value: 1, gas_price: 5 }),
      '{"id":"t1","value":"1","gas_price":"6"}',
      "gas_price: requested 5, got 6",
    ],
    [
      "a price returned as null",
      replace({ value: 1, gas_price: 5 }),
      '{"id":"t1","value":"1","gas_price":null}',
      "gas_price: requested 5, got null",
    ],
    [
      "a price replaced by another kind of price",
      replace({ value: 1, gas_price: 5 }),
      '{"id":"t1","value":"1","max_fee_per_gas":"9"}',
      "gas_price: requested 5, got nothing",
    ],
    [
      "a value",
      replace({ value: 2n ** 64n }),
      '{"id":"t1","value":"0x0"}',
      "value: requested 18446744073709551616, got 0x0",
    ],
    [
      "a speed",
      replace({ value: 1, speed: "fast" }),
      '{"id":"t1","value":"1","speed":"average"}',
      "speed: requested fast, got average",
    ],
  ])("%s", async (_, send, data, line) => {
    const error = await errorOf(answeredWith(data, send));
    expect(error).toMatchObject({ failure: "mismatch", applied: "unknown", because: expect.arrayContaining([line]) });
    // A proxy may have returned the response to another request.
    expect(error.message).toBe("the response reports success, but differs from the request");
  });

  test("the error explains an ignored price", async () => {
    const error = await errorOf(answeredWith('{"id":"t1","gas_price":"6"}', replace({ value: 1, gas_price: 5 })));
    expect(error).toMatchObject({
      because: [
        "gas_price: requested 5, got 6",
        "the service set the fee itself: services up to v1.8 ignore the requested price",
      ],
    });
  });
});

test.each<[string, (client: Client) => Promise<unknown>, string]>([
  ["another relayer", update({ paused: true }), '{"id":"r2","paused":true}'],
  ["another transaction", replace({ value: 1 }), '{"id":"t2","value":"1"}'],
  ["a transaction of another relayer", replace({ value: 1 }), '{"id":"t1","relayer_id":"r2","value":"1"}'],
  [
    "another notification",
    (client) => client.notifications.create({ url: "https://h", id: "n1" }),
    '{"id":"n2","url":"https://h"}',
  ],
  [
    "another ID than the generated one",
    (client) => client.notifications.create({ url: "https://h" }),
    '{"id":"n2","url":"https://h"}',
  ],
])("a response about another resource is exit 14, applied unknown: %s", async (_, send, data) => {
  expect(await errorOf(answeredWith(data, send))).toMatchObject({ failure: "mismatch", applied: "unknown" });
});

describe("a replacement", () => {
  test("with a price that the response lacks leaves the price unconfirmed", async () => {
    const done = await answeredWith('{"id":"t1","value":"1"}', replace({ value: 1, gas_price: 5 }));
    expect(done.unconfirmed).toEqual(["gas_price"]);
  });

  test("with a gas limit chosen by the service accepts any limit", async () => {
    const done = await answeredWith(
      '{"id":"t1","value":"1","gas_limit":23000}',
      replace({ value: 1, gas_limit: null }),
    );
    expect(done.unconfirmed).toEqual(["gas_limit"]);
  });

  test("with a speed returned as an object leaves the speed unconfirmed", async () => {
    const done = await answeredWith('{"id":"t1","value":"1","speed":{}}', replace({ value: 1, speed: "fast" }));
    expect(done.unconfirmed).toEqual(["speed"]);
  });

  test("on Solana is signed by the service, and the transaction is not compared", async () => {
    const done = await answeredWith('{"id":"t1","transaction":"SIGNED"}', replace({ transaction: "AQAB" }));
    expect(done.unconfirmed).toEqual([]);
  });
});

describe("a Stellar replacement that does not change the hash", () => {
  const recordedReply = replyOf(recordedAs("stellar replace real"));
  const before = dataOf(recordedAs("stellar tx").response.body);
  const body = { network: "testnet", operations: [{ type: "payment" }] };

  function dataOf(text: string): JsonObject {
    const envelope = parseJson(text);
    if (!isJsonObject(envelope) || !isJsonObject(envelope.data)) throw new Error("no data");
    return envelope.data;
  }

  function replaced(facts: { before?: JsonObject }) {
    const service = scriptedService({ reply: recordedReply });
    const { relayer_id = "", id = "" } = before as { relayer_id?: string; id?: string };
    return createClient(testClientContext(service.transport)).tx.replace(relayer_id, id, body, facts);
  }

  test("is exit 14, and nothing was applied", async () =>
    expect(await errorOf(replaced({ before }))).toMatchObject({ failure: "mismatch", applied: "no" }));

  test("counts as success if the earlier hash is unknown", () =>
    expect(replaced({})).resolves.toMatchObject({ unconfirmed: [] }));

  test("counts as success if the hash differs", () =>
    expect(replaced({ before: { ...before, hash: "00" } })).resolves.toMatchObject({ unconfirmed: [] }));

  test("is exit 14, applied unknown, if there is no hash", async () => {
    const send = replace(body, { id: "t1", hash: null });
    const error = await errorOf(answeredWith('{"id":"t1","hash":null}', send));
    expect(error).toMatchObject({ failure: "mismatch", applied: "unknown" });
  });
});
