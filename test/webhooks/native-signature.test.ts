import fc from "fast-check";
import { webhookSignature } from "../../src/contract/webhook/signature.ts";
import { intakeSignature } from "../../src/webhooks/intake.ts";

test("equals the signature of the contract for every key and body", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.uint8Array({ maxLength: 300 }), (key, body) => {
      expect(intakeSignature(key, body)).toBe(webhookSignature(key, body));
    }),
  );
});
