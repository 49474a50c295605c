import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { addressKind } from "../../../src/contract/address-kind.ts";
import { base64Bytes } from "../../../src/contract/encoding/base64.ts";
import { isJsonObject, type JsonObject, writeJson } from "../../../src/contract/json.ts";
import { relayerShape } from "../../../src/contract/resources/relayer.ts";
import { transactionShape } from "../../../src/contract/transaction/transaction.ts";
import {
  EVENT_WORDS,
  exampleEvent,
  WEBHOOK_EVENTS,
  webhookCatalogEvent,
} from "../../../src/contract/webhook/catalog.ts";
import { hasPayload, readWebhookEvent } from "../../../src/contract/webhook/event.ts";
import { verifyWebhook, webhookSignature } from "../../../src/contract/webhook/signature.ts";
import { shownRelayer, shownTransaction } from "../../../src/embedded-server/openzeppelin/shown.ts";
import { anyCharacter } from "../../helpers/any-character.ts";

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

const KEY = "k".repeat(32);
const OTHER = "n".repeat(40);
const BODY = '{"id":"1","event":"transaction_update"}';
const SIGNATURE = webhookSignature(KEY, BODY);

const bytes = fc.uint8Array({ maxLength: 300 });
const key = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 80 });

describe("vectors of others", () => {
  test("signs like test case 2 of RFC 4231", () => {
    const signature = webhookSignature("Jefe", "what do ya want for nothing?");
    const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    expect(Buffer.from(signature, "base64").toString("hex")).toBe(expected);
  });

  test.each([
    ["k".repeat(32), "{}", "PuiyMrANOKZRJWl7jKlpAtQy3VWOsUk5/9oHI2R+f4E="],
    ["k".repeat(32), "", "pK2ONA4yvx2RYAXLHcknlRSIl5ZeNq5WwK3DV0dLU3I="],
    ["k".repeat(100), '{"a":1}\n', "f9OxAFmSv9jyfqj5ndcAkKA814YFoww2gcmFfssLKAs="],
    ["ключ из букв не латиницы", '{"name":"☂"}', "qnHlEBHamTl7FuQ84P6WwJvGiZ42dn/9Cp3vwcuwBTQ="],
  ])("signs as openssl did with the key %s: %j", (signingKey, body, signature) => {
    expect(webhookSignature(signingKey, body)).toBe(signature);
    expect(verifyWebhook(body, signature, [signingKey])).toEqual({ verified: true, key: 0 });
  });

  const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
  test.skipIf(!hasOpenssl)("signs bytes of every value as the installed openssl does (skipped without openssl)", () => {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    const options = { input: body };
    const digest = execFileSync("openssl", ["dgst", "-sha256", "-hmac", KEY, "-binary"], options).toString("base64");
    expect(webhookSignature(KEY, body)).toBe(digest);
  });

  const deliveries = readFileSync(new URL("../../fixtures/deliveries.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  test.each(deliveries.map((line) => JSON.parse(line) as { headers: Record<string, string>; body: string }))(
    "verifies a delivery of the real service, and refuses it with any bit changed",
    ({ headers, body }) => {
      const signature = headers["x-signature"];
      expect(verifyWebhook(body, signature, [KEY, OTHER])).toEqual({ verified: true, key: 1 });
      const raw = new TextEncoder().encode(body);
      for (let bit = 0; bit < raw.length * 8; bit += 97)
        expect(verifyWebhook(flipped(raw, bit), signature, OTHER).verified).toBe(false);
    },
  );
});

function flipped(content: Uint8Array, bit: number): Uint8Array {
  const changed = Uint8Array.from(content);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed;
}

describe("any body and key", () => {
  test("every body verifies with the key that signed it, whatever its bytes", () => {
    fc.assert(
      fc.property(bytes, fc.array(key, { maxLength: 3 }), key, (body, earlier, own) => {
        const keys = [...earlier.filter((each) => !isSameKey(each, own)), own];
        expect(verifyWebhook(body, webhookSignature(own, body), keys)).toEqual({
          verified: true,
          key: keys.length - 1,
        });
      }),
    );
  });

  test("no body verifies under another body or another key", () => {
    fc.assert(
      fc.property(bytes, bytes, key, key, (body, otherBody, own, otherKey) => {
        const signature = webhookSignature(own, body);
        fc.pre(Buffer.compare(body, otherBody) !== 0 && !isSameKey(own, otherKey));
        expect(verifyWebhook(otherBody, signature, [own])).toEqual({ verified: false, reason: "mismatch" });
        expect(verifyWebhook(body, signature, [otherKey])).toEqual({ verified: false, reason: "mismatch" });
      }),
    );
  });

  test("one changed bit in the body, the signature, or the key is refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), (body, position) => {
        const signature = webhookSignature(KEY, body);
        const bodyBit = position % (body.length * 8);
        expect(verifyWebhook(flipped(body, bodyBit), signature, [KEY]).verified).toBe(false);
        const letters = new TextEncoder().encode(signature);
        const changed = String.fromCharCode(...flipped(letters, position % (letters.length * 8)));
        expect(verifyWebhook(body, changed, [KEY]).verified).toBe(false);
        // The highest bit would make another character of UTF-8 of it.
        const keyBytes = new TextEncoder().encode(KEY);
        const otherKey = String.fromCharCode(...flipped(keyBytes, (position % KEY.length) * 8 + (position % 7)));
        expect(verifyWebhook(body, signature, [otherKey]).verified).toBe(false);
      }),
    );
  });

  test("no signature that a sender may make up is accepted, or throws", () => {
    const header = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.base64String(),
      fc.array(fc.string()),
      fc.constant(null),
    );
    fc.assert(
      fc.property(bytes, header, (body, signature) => {
        fc.pre(signature !== webhookSignature(KEY, body));
        expect(verifyWebhook(body, signature, [KEY]).verified).toBe(false);
      }),
    );
  });
});

/** HMAC pads a short key with zeros, and hashes a long one. */
function isSameKey(one: string, other: string): boolean {
  const padded = (text: string) => Buffer.concat([new TextEncoder().encode(text), Buffer.alloc(400)]).subarray(0, 400);
  return padded(one).equals(padded(other));
}

describe("what is refused", () => {
  const plus = webhookSignature(KEY, "{}");

  test.each([
    ["no header", undefined, "missing"],
    ["a header that is null", null, "missing"],
    ["an empty header", "", "missing"],
    ["no header in a list", [], "missing"],
    ["two headers, of which both are right", [SIGNATURE, SIGNATURE], "several"],
    ["two headers that Node joined", `${SIGNATURE}, ${SIGNATURE}`, "malformed"],
    ["no padding", SIGNATURE.slice(0, -1), "malformed"],
    ["padding twice", `${SIGNATURE}=`, "malformed"],
    ["a space in front", ` ${SIGNATURE}`, "malformed"],
    ["a space at the end", `${SIGNATURE} `, "malformed"],
    ["a line ending", `${SIGNATURE}\n`, "malformed"],
    ["a prefix", `sha256=${SIGNATURE}`, "malformed"],
    ["hex", Buffer.from(SIGNATURE, "base64").toString("hex"), "malformed"],
    ["a shorter digest", btoa("1".repeat(31)), "malformed"],
    ["a longer digest", btoa("1".repeat(33)), "malformed"],
    ["bits that no digest has", `${SIGNATURE.slice(0, -2)}${nextLetter(SIGNATURE)}=`, "malformed"],
    ["a character of two code units", `${SIGNATURE.slice(0, -3)}😀=`, "malformed"],
    ["another digest", btoa("1".repeat(32)), "mismatch"],
    ["other letter case", SIGNATURE.toLowerCase().replace(/.=$/, "A="), "mismatch"],
  ] as const)("%s", (_, signature, reason) => {
    expect(verifyWebhook(BODY, signature, [KEY])).toEqual({ verified: false, reason });
  });

  test("URL-safe base64", () => {
    const urlSafe = plus.replaceAll("+", "-").replaceAll("/", "_");
    expect(urlSafe).not.toBe(plus);
    expect(verifyWebhook("{}", urlSafe, [KEY])).toEqual({ verified: false, reason: "malformed" });
  });

  test.each([[[]], [""], [[""]], [["", ""]], [undefined], [null], [[undefined]], [[null, 7]]])(
    "no usable key: %j",
    (keys) => {
      const empty = webhookSignature("", BODY);
      expect(verifyWebhook(BODY, empty, keys as string[])).toEqual({ verified: false, reason: "no_key" });
    },
  );

  test("an empty key next to another one", () => {
    expect(verifyWebhook(BODY, webhookSignature("", BODY), ["", KEY])).toEqual({ verified: false, reason: "mismatch" });
    expect(verifyWebhook(BODY, SIGNATURE, ["", KEY])).toEqual({ verified: true, key: 1 });
  });

  test.each([[undefined], [null], [{}], [[]], [{ id: "1" }], [7]])("a body that was parsed: %j", (body) => {
    const parsed = body as unknown as string;
    expect(verifyWebhook(parsed, SIGNATURE, [KEY])).toEqual({ verified: false, reason: "not_raw" });
  });
});

/** Returns the letter after the last one of a signature: its first four bits are the same. */
function nextLetter(signature: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return letters.charAt(letters.indexOf(signature.charAt(42)) + 1);
}

test("verifies a part of a larger buffer, as Node cuts small ones", () => {
  const pool = Buffer.from(`xx${BODY}yy`);
  expect(verifyWebhook(pool.subarray(2, -2), SIGNATURE, [KEY])).toEqual({ verified: true, key: 0 });
});

test("a single key may be given as text, and a single header as a list", () =>
  expect(verifyWebhook(BODY, [SIGNATURE], KEY)).toEqual({ verified: true, key: 0 }));

test("compares with every key, also after one that matches", () => {
  const read: number[] = [];
  const keys = new Proxy([KEY, OTHER, KEY], {
    get(target, name, receiver) {
      if (/^\d+$/.test(String(name))) read.push(Number(name));
      return Reflect.get(target, name, receiver);
    },
  });
  expect(verifyWebhook(BODY, SIGNATURE, keys)).toEqual({ verified: true, key: 0 });
  expect(new Set(read)).toEqual(new Set([0, 1, 2]));
});
