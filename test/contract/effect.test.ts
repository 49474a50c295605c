import { effectOf } from "../../src/contract/effect.ts";
import { parseJson } from "../../src/contract/json.ts";
import { READING_METHODS } from "../../src/contract/json-rpc/reading-methods.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { anything } from "../../src/contract/reply/shape.ts";
import { NOTIFICATION_UNSET, PRICES_IGNORED, SENT, SENT_AS_SIGNED, WHILE_PAUSED } from "../helpers/receipts.ts";

const unknown: Operation = { id: "api", kind: "once", method: "POST", path: "/x", data: anything, bare: true };

describe("the confirmation that a request needs", () => {
  test.each([
    ["relayers.update", '{"paused":true}', "none"],
    ["relayers.update", '{"paused":false}', "none"],
    ["relayers.update", '{"name":"x","policies":{"gas_price_cap":1}}', "none"],
    ["relayers.update", '{"policies":{"whitelist_receivers":["0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"]}}', "none"],
    ["relayers.update", '{"policies":{"whitelist_receivers":[]}}', "id"],
    ["relayers.update", '{"policies":{"whitelist_receivers":null}}', "id"],
    ["relayers.update", '{"policies":null}', "id"],
    ["relayers.update", '{"paused":true,"policies":null}', "id"],
    ["notifications.create", '{"url":"https://h"}', "none"],
    ["notifications.update", '{"url":"https://h"}', "none"],
    ["notifications.update", '{"signing_key":null}', "none"],
    ["notifications.update", '{"signing_key":"k"}', "none"],
    ["notifications.update", '{"signing_key":""}', "yes"],
    ["tx.replace", '{"value":1}', "yes"],
    ["tx.send", '{"value":1}', "yes"],
    ["tx.cancel", undefined, "yes"],
    ["tx.delete-pending", undefined, "yes"],
    ["relayers.create", '{"name":"x"}', "none"],
    ["relayers.delete", undefined, "yes"],
    ["relayers.rpc", '{"method":"eth_sendRawTransaction"}', "yes"],
    ["notifications.delete", undefined, "yes"],
    ["signers.create", '{"type":"plain"}', "none"],
    ["signers.delete", undefined, "yes"],
    ["networks.update", '{"rpc_urls":["https://h"]}', "none"],
    ["plugins.update", '{"timeout":5}', "none"],
    ["plugins.call", "{}", "yes"],
    ["plugins.call-get", undefined, "yes"],
  ] as const)("%s %s: %s", (id, body, consent) => {
    const effect = effectOf(operations[id], body === undefined ? undefined : parseJson(body));
    expect(effect).toMatchObject({ writes: true, consent });
    if (consent !== "none") expect(effect.words).not.toEqual([]);
  });

  test("is none for a read", () => {
    for (const operation of Object.values<Operation>(operations).filter(({ kind }) => kind === "read"))
      expect(effectOf(operation, undefined)).toMatchObject({ writes: false, consent: "none" });
  });

  test("is required for an unknown write with any body", () => {
    for (const body of [undefined, null, [], {}, "x"])
      expect(effectOf(unknown, body)).toMatchObject({ consent: "yes" });
  });
});

test("a write with a body that is not an object needs confirmation, and a patch needs the ID", () => {
  for (const body of [null, [], "x", "", 5, 0, false]) {
    for (const id of ["notifications.create", "tx.send", "relayers.rpc"] as const)
      expect(effectOf(operations[id], body)).toMatchObject({ consent: "yes" });
    for (const id of ["relayers.update", "notifications.update", "networks.update", "plugins.update"] as const)
      expect(effectOf(operations[id], body)).toMatchObject({ consent: "id" });
  }
});

test.each([
  '{"policies":[]}',
  '{"policies":""}',
  '{"policies":false}',
  '{"policies":0}',
  '{"policies":[{"gas_price_cap":1}]}',
  '{"policies":{"whitelist_receivers":""}}',
  '{"policies":{"whitelist_receivers":{}}}',
  '{"policies":{"whitelist_receivers":false}}',
  '{"policies":{"whitelist_receivers":[""]}}',
  '{"policies":{"whitelist_receivers":["*"]}}',
  '{"policies":{"whitelist_receivers":[null]}}',
  '{"policies":{"whitelist_receivers":["0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",""]}}',
  '{"policies":{"Whitelist_Receivers":[]}}',
  '{"Policies":null}',
  '{"policies":{"allowed_programs":null}}',
  '{"policies":{"allowed_programs":[]}}',
  '{"policies":{"allowed_programs":""}}',
  '{"policies":{"allowed_accounts":[]}}',
  '{"policies":{"allowed_accounts":null}}',
  '{"policies":{"allowed_tokens":[]}}',
  '{"policies":{"allowed_tokens":null}}',
  '{"policies":{"disallowed_accounts":[]}}',
  '{"policies":{"disallowed_accounts":null}}',
  '{"policies":{"gas_price_cap":false}}',
  '{"policies":{"swap_config":[]}}',
  '{"policies":{"swap_config":{"strategy":{}}}}',
  '{"paused":"false"}',
  '{"paused":null}',
  '{"name":{}}',
  '{"notification_id":false}',
  '{"custom_rpc_urls":""}',
  '{"custom_rpc_urls":[""]}',
  '{"owner":"x"}',
  '{"__proto__":{"policies":null}}',
  '{"hasOwnProperty":1}',
])("a patch of a relayer requires its ID: %s", (body) => {
  const { consent, words } = effectOf(operations["relayers.update"], parseJson(body));
  expect([consent, words.length > 0]).toEqual(["id", true]);
});

test.each([
  ["PATCH", "/Relayers/r1", "id"],
  ["PATCH", "/%52elayers/r1", "id"],
  ["PUT", "/relayers/r1", "id"],
  ["PUT", "/v2/relayers/r1/policies", "id"],
  ["PUT", "/plugins/p1", "yes"],
  ["PATCH", "/things/r1", "yes"],
  ["POST", "/relayers/r1/things", "yes"],
] as const)("the unknown request %s %s requires at least: %s", (method, path, consent) => {
  for (const body of [undefined, {}, [], null])
    expect(effectOf({ ...unknown, method, path }, body)).toMatchObject({ writes: true, consent });
});

describe("JSON-RPC", () => {
  const request = (method: string) => effectOf(operations["relayers.rpc"], { method, params: [] });

  test.each(Object.entries(READING_METHODS))("the read-only methods for %s need no confirmation", (_, methods) => {
    for (const method of methods) expect(request(method)).toMatchObject({ writes: false, consent: "none" });
  });

  test("a read-only method in another spelling needs confirmation", () => {
    for (const method of new Set(Object.values(READING_METHODS).flat())) {
      for (const other of [` ${method}`, `${method} `, `${method}\n`, method.toUpperCase(), `x${method}`, `${method}x`])
        expect(request(other), other).toMatchObject({ writes: true, consent: "yes" });
    }
  });

  test.each([
    ...["eth_sendRawTransaction", "eth_sendTransaction", "signAndSendTransaction", "simulateAndSendTransaction"],
    ...["simulateBundleAndSend", "getAndSend", "eth_getWork", "eth_getFilterChanges", "eth_newFilter", "eth_sign_call"],
    ...[
      "evm_mine",
      "requestAirdrop",
      "signTransaction",
      "transferTransaction",
      "personal_sign",
      "",
      "x_getY",
      "toString",
    ],
  ])("any other method needs confirmation: %s", (method) => {
    expect(request(method)).toMatchObject({ writes: true, consent: "yes" });
  });

  test.each([
    '[{"method":"eth_call"}]',
    '[{"method":"eth_call"},{"method":"eth_sendRawTransaction"}]',
    '{"method":"eth_call","Method":"eth_sendRawTransaction"}',
    '{"method":["eth_call"]}',
    '{"method":null}',
    '{"params":[]}',
    '"eth_call"',
  ])("an invalid request needs confirmation: %s", (body) => {
    expect(effectOf(operations["relayers.rpc"], parseJson(body))).toMatchObject({ writes: true, consent: "yes" });
  });
});

test.each(["eth_sendRawTransaction", "eth_sendTransaction", "sendTransaction", "signAndSendTransaction"])(
  "JSON-RPC that sends a transaction is described as irreversible: %s",
  (method) => expect([SENT, SENT_AS_SIGNED]).toContain(effectOf(operations["relayers.rpc"], { method }).words.join()),
);

test("JSON-RPC that sends a signed transaction is not described as signing", () => {
  const wordsOf = (method: string) => effectOf(operations["relayers.rpc"], { method }).words.join();
  expect(wordsOf("eth_sendRawTransaction")).toBe(SENT_AS_SIGNED);
  expect(wordsOf("eth_sendTransaction")).toBe(SENT);
});

test.each([
  ['{"paused":true}', true],
  ['{"paused":false}', false],
  ['{"paused":true,"name":"x"}', false],
  ["{}", false],
])("pausing one relayer: %s: %s", (body, pausesOne) => {
  expect(effectOf(operations["relayers.update"], parseJson(body)).pausesOne).toBe(pausesOne);
});

test("a replacement with a price mentions that services up to v1.8 ignore prices", () => {
  const words = (body: object) => effectOf(operations["tx.replace"], body as never).words.join();
  expect(words({ value: 1, max_fee_per_gas: 5 })).toContain(PRICES_IGNORED);
  expect(words({ value: 1, gas_price: 5 })).toContain(PRICES_IGNORED);
  expect(words({ value: 1, speed: "fast" })).not.toContain(PRICES_IGNORED);
});

test.each([
  ['{"paused":true}', WHILE_PAUSED],
  ['{"notification_id":null}', NOTIFICATION_UNSET],
  ['{"policies":{"whitelist_receivers":null}}', "send to any address"],
  ['{"policies":{"whitelist_receivers":[]}}', "only to itself"],
])("%s mentions its consequences", (body, words) => {
  expect(effectOf(operations["relayers.update"], parseJson(body)).words.join()).toContain(words);
});

test("a change without further consequences mentions none", () => {
  const body = parseJson('{"name":"x","paused":false,"policies":{"gas_price_cap":1}}');
  expect(effectOf(operations["relayers.update"], body).words).toEqual([]);
});
