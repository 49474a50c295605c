import { readFileSync } from "node:fs";
import { addressKind } from "../../../src/contract/address-kind.ts";
import { base64Bytes } from "../../../src/contract/encoding/base64.ts";
import { isJsonObject, type JsonObject, writeJson } from "../../../src/contract/json.ts";
import { relayerShape } from "../../../src/contract/resources/relayer.ts";
import { transactionShape } from "../../../src/contract/transaction/transaction.ts";
import { EVENT_WORDS, WEBHOOK_EVENTS, webhookCatalogEvent } from "../../../src/contract/webhook/catalog.ts";
import { hasPayload, readWebhookEvent } from "../../../src/contract/webhook/event.ts";
import { exampleEvent } from "../../../src/contract/webhook/example.ts";
import { shownRelayer, shownTransaction } from "../../../src/embedded-server/openzeppelin/shown.ts";

const EXAMPLES = WEBHOOK_EVENTS.flatMap((entry) =>
  entry.kinds.map((kind) => ({ entry, kind, name: `${entry.event} ${entry.payloadType} ${kind}` })),
);

const [delivery = ""] = readFileSync(new URL("../../fixtures/deliveries.jsonl", import.meta.url), "utf8").split("\n");
const RECORDED = JSON.parse(JSON.parse(delivery).body) as JsonObject;

test("the service sends eight events, of which one has two payload types", () => {
  expect(WEBHOOK_EVENTS.map(({ event, payloadType }) => `${event} ${payloadType}`)).toEqual([
    "transaction_update transaction",
    "relayer_state_update relayer_disabled",
    "relayer_state_update relayer_enabled",
    "transfer_transaction solana_rpc",
    "sign_transaction solana_rpc",
    "sign_and_send_transaction solana_rpc",
    "solana_dex solana_dex",
    "stellar_dex_queued stellar_dex",
  ]);
  expect(EXAMPLES).toHaveLength(14);
});

test("each word stands for the event of this name, or with this payload type", () => {
  for (const word of EVENT_WORDS) {
    const found = webhookCatalogEvent(word);
    expect([found?.event, found?.payloadType]).toContain(word);
  }
  expect(webhookCatalogEvent("relayer_state_update")?.payloadType).toBe("relayer_disabled");
  expect(webhookCatalogEvent("transaction_failure")).toBeUndefined();
});

describe.each(EXAMPLES)("the example $name", ({ entry, kind }) => {
  const event = exampleEvent(entry, kind);

  test("is read as the same event, with the type first in the payload", () => {
    const body = writeJson({ ...event });
    expect(readWebhookEvent(body)).toEqual(event);
    expect(readWebhookEvent(new TextEncoder().encode(body))).toEqual(event);
    expect(Object.keys(event)).toEqual(["id", "event", "payload", "timestamp"]);
    expect(Object.keys(event.payload)[0]).toBe("payload_type");
    expect([event.event, event.payload.payload_type]).toEqual([entry.event, entry.payloadType]);
    expect(Number.isNaN(Date.parse(event.timestamp))).toBe(false);
  });

  test("has the members of the embedded server's dialect of the real service, in its order", () => {
    const { payload_type: _, ...members } = event.payload as JsonObject & { payload_type: string };
    if (hasPayload(event, "transaction")) {
      expect(transactionShape(members)).toBeUndefined();
      expect(Object.keys(members)).toEqual(
        Object.keys(shownTransaction({ hash: members.signature ?? null, ...members })),
      );
    }
    if (isJsonObject(members.relayer)) {
      expect(relayerShape(members.relayer)).toBeUndefined();
      expect(Object.keys(members.relayer)).toEqual(Object.keys(shownRelayer(members.relayer)));
      expect(addressKind(String(members.relayer.address))).toEqual({ kind });
    }
    if (typeof members.transaction === "string") expect(base64Bytes(members.transaction)?.length).toBeGreaterThan(64);
  });

  test("can have another ID and time", () => {
    const other = { id: "a", timestamp: "2026-01-01T00:00:00Z" };
    expect(exampleEvent(entry, kind, other)).toEqual({ ...event, ...other });
  });
});

test("the example of a transaction has the members of a recorded delivery, in its order", () => {
  const example = exampleEvent(webhookCatalogEvent("transaction_update") as (typeof WEBHOOK_EVENTS)[number], "evm");
  expect(Object.keys(example)).toEqual(Object.keys(RECORDED));
  expect(Object.keys(example.payload)).toEqual(Object.keys(RECORDED.payload as JsonObject));
});

describe("reading an event", () => {
  const event = { id: "1", event: "later_event", payload: { payload_type: "later", n: 1 }, timestamp: "t", more: true };

  test("keeps events, payload types, and members that are not known", () =>
    expect(readWebhookEvent(JSON.stringify(event))).toEqual(event));

  test("keeps integers exact", () => {
    const body = JSON.stringify(event).replace('"n":1', '"n":340282366920938463463374607431768211455');
    expect(readWebhookEvent(body)?.payload.n).toBe(2n ** 128n - 1n);
  });

  test.each(
    [
      ["", "{", "[]", "null", '"text"', "{}"],
      Object.keys(event)
        .filter((name) => name !== "more")
        .flatMap((name) => [JSON.stringify({ ...event, [name]: undefined }), JSON.stringify({ ...event, [name]: 7 })]),
      [JSON.stringify({ ...event, payload: {} }), JSON.stringify({ ...event, payload: [] }), "[".repeat(100_000)],
    ].flat(),
  )("returns nothing for %.60s", (body) => expect(readWebhookEvent(body)).toBeUndefined());

  test("returns nothing for bytes that are not UTF-8", () =>
    expect(readWebhookEvent(Uint8Array.of(0x7b, 0xff, 0x7d))).toBeUndefined());
});
