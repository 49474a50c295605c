import { expect, test } from "vitest";
import { webhookSignature } from "../../src/contract/webhook-signature.ts";

test("signs like test case 2 of RFC 4231", () => {
  const signature = webhookSignature("Jefe", "what do ya want for nothing?");
  const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  expect(Buffer.from(signature, "base64").toString("hex")).toBe(expected);
});

test("encodes key and body as UTF-8", () => {
  const signature = webhookSignature("ключ", '{"name":"☂"}');
  expect(signature).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(signature).not.toBe(webhookSignature("ключ", '{"name":"?"}'));
});
