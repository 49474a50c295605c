import fc from "fast-check";
import { webhookSignature } from "../../src/contract/webhook/signature.ts";
import { intakeSignature } from "../../src/webhooks/intake.ts";
import { createRecent } from "../../src/webhooks/recent.ts";
import { type RecordedDelivery, readWebhookRecord, webhookRecordLine } from "../../src/webhooks/record.ts";

describe("the record", () => {
  const DELIVERY: RecordedDelivery = {
    receivedAt: "2026-11-21T03:12:07.000Z",
    method: "POST",
    path: "/hooks?from=relayer",
    headers: { "content-type": "application/json", "x-signature": "c2lnbmF0dXJl" },
    body: Uint8Array.of(0x7b, 0xff, 0x00, 0x0a, 0x7d),
    accepted: true,
  };

  test("reads what it wrote, byte for byte", () => {
    const refused = { ...DELIVERY, headers: {}, body: new Uint8Array(), accepted: false };
    const { deliveries, damaged, isCut } = readWebhookRecord(webhookRecordLine(DELIVERY) + webhookRecordLine(refused));
    expect(deliveries).toEqual([DELIVERY, refused]);
    expect([damaged, isCut]).toEqual([[], false]);
  });

  test("writes one line with documented members, and of the headers only those that a replay needs", () => {
    const headers = { ...DELIVERY.headers, authorization: "Bearer t", cookie: "session" };
    expect(webhookRecordLine({ ...DELIVERY, headers })).toBe(
      '{"received_at":"2026-11-21T03:12:07.000Z","method":"POST","path":"/hooks?from=relayer",' +
        '"headers":{"content-type":"application/json","x-signature":"c2lnbmF0dXJl"},"body_base64":"e/8ACn0=","accepted":true}\n',
    );
  });

  test("writes a part of a larger buffer", () => {
    const body = Buffer.from("before{}after").subarray(6, 8);
    expect(readWebhookRecord(webhookRecordLine({ ...DELIVERY, body })).deliveries[0]?.body).toEqual(
      Uint8Array.of(0x7b, 0x7d),
    );
  });

  test.each([
    ["{", "is not a JSON object"],
    ["[]", "is not a JSON object"],
    ['{"method":"POST"}', "has no received_at"],
    [webhookRecordLine(DELIVERY).replace('"POST"', "7").trim(), "has no method or path"],
    [webhookRecordLine(DELIVERY).replace('"application/json"', "7").trim(), "has no valid headers"],
    [webhookRecordLine(DELIVERY).replace("e/8ACn0=", "e/8ACn0").trim(), "has no body in base64"],
    [webhookRecordLine(DELIVERY).replace("true", "1").trim(), "does not say whether it was accepted"],
  ])("reports the number of the damaged line %s, and reads the others", (line, rule) => {
    const { deliveries, damaged, isCut } = readWebhookRecord(
      `${webhookRecordLine(DELIVERY)}${line}\n${webhookRecordLine(DELIVERY)}`,
    );
    expect(deliveries).toHaveLength(2);
    expect(damaged).toEqual([{ line: 2, rule }]);
    expect(isCut).toBe(false);
  });

  test("tolerates a last line that is cut off at any byte", () => {
    const line = webhookRecordLine(DELIVERY);
    for (let end = 1; end < line.length - 1; end++) {
      const { deliveries, damaged, isCut } = readWebhookRecord(line + line.slice(0, end));
      expect([deliveries.length, damaged, isCut]).toEqual([1, [], true]);
    }
  });

  test("skips empty lines, and reads lines that end as on Windows", () => {
    const text = `\n${webhookRecordLine(DELIVERY).replace("\n", "\r\n")}\r\n${webhookRecordLine(DELIVERY)}`;
    expect(readWebhookRecord(text)).toEqual({ deliveries: [DELIVERY, DELIVERY], damaged: [], isCut: false });
  });
});

describe("recent keys", () => {
  test("remembers the keys that were used last, and forgets older ones", () => {
    const recent = createRecent<number>(3);
    recent.set("used", 0);
    for (let key = 1; key <= 100; key++) {
      recent.set(`key ${key}`, key);
      expect(recent.get("used")).toBe(0);
    }
    for (const key of [98, 99, 100]) expect(recent.get(`key ${key}`)).toBe(key);
    expect(recent.get("key 90")).toBeUndefined();
  });

  test("replaces the value of a key", () => {
    const recent = createRecent<number>(1);
    recent.set("a", 1);
    recent.set("a", 2);
    recent.set("b", 3);
    recent.set("a", 4);
    expect([recent.get("a"), recent.get("b")]).toEqual([4, 3]);
  });
});

describe("the native signature", () => {
  test("equals the signature of the contract for every key and body", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.uint8Array({ maxLength: 300 }), (key, body) => {
        expect(intakeSignature(key, body)).toBe(webhookSignature(key, body));
      }),
    );
  });
});
