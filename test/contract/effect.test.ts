import { describe, expect, test } from "vitest";
import { effectOf } from "../../src/contract/effect.ts";
import { parseJson } from "../../src/contract/json.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { anything } from "../../src/contract/shape.ts";

const unknown: Operation = { id: "api", kind: "once", method: "POST", path: "/x", data: anything, bare: true };

describe("how much a request must be agreed to (design 5)", () => {
  test.each([
    ["relayers.update", '{"paused":true}', "none"],
    ["relayers.update", '{"paused":false}', "none"],
    ["relayers.update", '{"name":"x","policies":{"gas_price_cap":1}}', "none"],
    ["relayers.update", '{"policies":{"whitelist_receivers":["0x1"]}}', "none"],
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

  test("a read needs none", () => {
    for (const operation of Object.values<Operation>(operations).filter(({ kind }) => kind === "read")) {
      expect(effectOf(operation, undefined)).toMatchObject({ writes: false, consent: "none" });
    }
  });

  test("a write that is not known asks, whatever its body", () => {
    for (const body of [undefined, null, [], {}, "x"])
      expect(effectOf(unknown, body)).toMatchObject({ consent: "yes" });
  });
});

test("a write that is known asks when its body is no object: nobody can say what it does", () => {
  for (const id of ["relayers.update", "notifications.create", "notifications.update"] as const) {
    for (const body of [null, [], "x", 5]) expect(effectOf(operations[id], body)).toMatchObject({ consent: "yes" });
  }
});

describe("JSON-RPC", () => {
  test.each(["eth_getTransactionByHash", "eth_call", "eth_blockNumber", "getLatestBlockhash", "simulateTransaction"])(
    "that only asks the node needs no consent: %s",
    (method) => {
      expect(effectOf(operations["relayers.rpc"], { method })).toMatchObject({ writes: false, consent: "none" });
    },
  );

  test.each(["eth_sendRawTransaction", "eth_sendTransaction", "signAndSendTransaction", "evm_mine", "", "x_getY"])(
    "of any other method asks: %s",
    (method) => {
      expect(effectOf(operations["relayers.rpc"], { method })).toMatchObject({ writes: true, consent: "yes" });
    },
  );
});

test.each(["eth_sendRawTransaction", "eth_sendTransaction", "sendTransaction", "signAndSendTransaction"])(
  "JSON-RPC that sends a transaction is told to be final: %s",
  (method) => {
    expect(effectOf(operations["relayers.rpc"], { method }).words.join()).toContain("nothing takes it back");
  },
);

test("JSON-RPC that sends what was signed before is not told to sign it", () => {
  const wordsOf = (method: string) => effectOf(operations["relayers.rpc"], { method }).words.join();
  expect(wordsOf("eth_sendRawTransaction")).toContain("it is signed already and is sent");
  expect(wordsOf("eth_sendTransaction")).toContain("it is signed and sent");
});

describe("pausing one relayer", () => {
  test.each([
    ['{"paused":true}', true],
    ['{"paused":false}', false],
    ['{"paused":true,"name":"x"}', false],
    ["{}", false],
  ])("%s: %s", (body, pausesOne) => {
    expect(effectOf(operations["relayers.update"], parseJson(body)).pausesOne).toBe(pausesOne);
  });
});

test("a replacement with a price of its own is told that services up to v1.8 ignore it", () => {
  const words = (body: object) => effectOf(operations["tx.replace"], body as never).words.join();
  expect(words({ value: 1, max_fee_per_gas: 5 })).toContain("ignore explicit prices");
  expect(words({ value: 1, gas_price: 5 })).toContain("ignore explicit prices");
  expect(words({ value: 1, speed: "fast" })).not.toContain("ignore explicit prices");
});

test.each([
  ['{"paused":true}', "queued already go on"],
  ['{"notification_id":null}', "reported nowhere"],
  ['{"policies":{"whitelist_receivers":null}}', "send anywhere"],
  ['{"policies":{"whitelist_receivers":[]}}', "nobody but itself"],
])("%s is told what follows", (body, words) => {
  expect(effectOf(operations["relayers.update"], parseJson(body)).words.join()).toContain(words);
});

test("a change without consequences beyond itself is told none", () => {
  const body = parseJson('{"name":"x","paused":false,"policies":{"gas_price_cap":1}}');
  expect(effectOf(operations["relayers.update"], body).words).toEqual([]);
});
