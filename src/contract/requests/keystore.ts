import { intSchema } from "./schema-parts.ts";
import * as z from "./zod.ts";

const someText = z.string();
const u8 = intSchema(0n, 255n);
const u32 = intSchema(0n, 2n ** 32n - 1n);
const keyLength = intSchema(32n, 255n);
const KDF_PARAMS = "needs dklen from 32, salt, and c and prf, or n, p, and r";

function hexSchema(least: number, most = Number.POSITIVE_INFINITY): z.ZodMiniType<string> {
  const fits = (text: string) =>
    /^(?:[0-9a-f]{2})*$/i.test(text) && text.length >= 2 * least && text.length <= 2 * most;
  return someText.check(z.refine(fits, `${least} bytes in hex`));
}

export type Keystore = z.infer<typeof keystoreSchema>;

/** What the service reads of a keystore file, whose version it ignores (facts 14.1). */
export const keystoreSchema = z.looseObject({
  id: someText.check(z.regex(/^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i, "a UUID")),
  version: u8,
  crypto: z.looseObject({
    cipher: someText,
    cipherparams: z.looseObject({ iv: hexSchema(16) }),
    ciphertext: hexSchema(32, 32),
    kdf: z.enum(["pbkdf2", "scrypt"], "pbkdf2 or scrypt"),
    kdfparams: z.union(
      [
        z.looseObject({ dklen: keyLength, salt: hexSchema(0), c: u32, prf: someText }),
        z.looseObject({ dklen: keyLength, salt: hexSchema(0), n: u32, p: u32, r: u32 }),
      ],
      KDF_PARAMS,
    ),
    mac: hexSchema(32, 32),
  }),
});
