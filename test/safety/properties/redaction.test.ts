import fc from "fast-check";
import { createSecrets } from "../../../src/config/token/secrets.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";

const RUNS = runs(30, 10_000);

const secrets = fc.oneof(
  fc.stringMatching(/^[\x21-\x7e]{8,80}$/),
  fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }),
  fc.string({ unit: anyCharacter, minLength: 8, maxLength: 40 }),
);

const SPELLINGS: Record<string, (secret: string, around: string) => string> = {
  "as it is": (secret, around) => around + secret + around,
  "percent-encoded": (secret, around) => encodeURIComponent(around + secret.toWellFormed() + around),
  "in a form": (secret) => new URLSearchParams({ q: secret.toWellFormed() }).toString(),
  "as JSON": (secret, around) => JSON.stringify({ [around]: secret }),
  "in hex": (secret) => Buffer.from(secret).toString("hex"),
};

function arbitrary() {
  const spelling = fc.constantFrom(...Object.keys(SPELLINGS));
  return fc
    .tuple(secrets, fc.string({ maxLength: 20 }), spelling)
    .filter(([secret, around]) => !around.includes(secret));
}

test("no encoding reveals a secret", () => {
  fc.assert(
    fc.property(arbitrary(), ([secret, around, spelling]) => {
      const store = createSecrets();
      store.add(secret);
      const spelled = SPELLINGS[spelling]?.(secret, around) ?? "";
      const shown = store.redact(spelled);
      expect(shown).not.toContain(secret);
      expect(shown).toContain("‹redacted›");
    }),
    RUNS,
  );
});

test("no base64 text reveals a secret at any position", () => {
  const parts = fc.tuple(
    fc.string({ maxLength: 12 }),
    fc.stringMatching(/^[\x21-\x7e]{12,64}$/),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(
      parts,
      fc.constantFrom("base64" as const, "base64url" as const),
      ([before, secret, after], encoding) => {
        const store = createSecrets();
        store.add(secret);
        const shown = store.redact(Buffer.from(before + secret + after).toString(encoding));
        const decoded = shown.split("‹redacted›").map((text) => Buffer.from(text, "base64").toString("latin1"));
        // A byte at either edge shares its group with its neighbor and stays.
        expect(decoded.some((text) => text.includes(secret.slice(2, -2)))).toBe(false);
        expect(shown).toContain("‹redacted›");
      },
    ),
    RUNS,
  );
});

test("a second redaction changes nothing, and a text without the secret stays unchanged", () => {
  fc.assert(
    fc.property(secrets, fc.string({ maxLength: 200 }), (secret, text) => {
      const store = createSecrets();
      store.add(secret);
      const once = store.redact(text + secret + text);
      expect(store.redact(once)).toBe(once);
      fc.pre(!/[%\\]/.test(text) && text.length < secret.length);
      expect(store.redact(text)).toBe(text);
    }),
    RUNS,
  );
});

test("none of several secrets is revealed, even if one contains another", () => {
  const several = fc.array(fc.stringMatching(/^[a-c]{8,14}$/), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(several, (all) => {
      const store = createSecrets();
      for (const secret of all) store.add(secret);
      const shown = store.redact(all.join(""));
      for (const secret of all) expect(shown).not.toContain(secret);
    }),
    RUNS,
  );
});
