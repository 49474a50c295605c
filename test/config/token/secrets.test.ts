import fc from "fast-check";
import { createSecretSearch, createSecrets, secretPattern } from "../../../src/config/token/secrets.ts";
import { receivedRpcUrls } from "../../../src/contract/rpc-url.ts";
import { runs } from "../../helpers/deep.ts";

/** The text without the secrets. That they may be in it, is known from its bytes too. */
function redacted(text: string, ...secrets: string[]): string {
  const known = createSecrets();
  for (const secret of secrets) known.add(secret);
  const safe = known.redact(text);
  if (safe !== text) expect(known.mayOccurIn(Buffer.from(text))).toBe(true);
  return safe;
}

const SECRET = `tok"en/+%\\é?9z`;

test.each([
  ["literally", SECRET],
  ["percent-encoded", encodeURIComponent(SECRET)],
  ["percent-encoded in lowercase", encodeURIComponent(SECRET).toLowerCase()],
  ["with every byte percent-encoded", [...Buffer.from(SECRET)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["percent-encoded three times", [1, 2].reduce(encodeURIComponent, encodeURIComponent(SECRET))],
  ["with every byte escaped as in a log", [...Buffer.from(SECRET)].map((byte) => `\\x${byte.toString(16)}`).join("")],
  ["as the bytes of a debug print", [...Buffer.from(SECRET)].join(", ")],
  ["as the bytes of JSON", JSON.stringify([...Buffer.from(SECRET)]).slice(1, -1)],
  ["as JSON", JSON.stringify(SECRET).slice(1, -1)],
  ["as JSON with escaped slashes", JSON.stringify(SECRET).slice(1, -1).replaceAll("/", "\\/")],
  ["as JSON in ASCII", JSON.stringify(SECRET).slice(1, -1).replaceAll("é", "\\u00E9")],
  ["in hex", Buffer.from(SECRET).toString("hex")],
  ["in uppercase hex", Buffer.from(SECRET).toString("hex").toUpperCase()],
])("replaces a secret %s", (_, text) => {
  expect(redacted(`before ${text} after`, SECRET)).toBe("before ‹redacted› after");
});

test.each([0, 1, 2, 3])("replaces a secret in base64 after %i other bytes", (before) => {
  const text = Buffer.from(`${"x".repeat(before)}${SECRET}yy`).toString("base64");
  expect(redacted(text, SECRET)).toContain("‹redacted›");
});

test("replaces a secret escaped by this program", () =>
  expect(redacted("a\\u{7}bcdefgh", "a\u0007bcdefgh")).toBe("‹redacted›"));

test("replaces a secret in a text of a fleet, which doubles a $ before a brace", () =>
  expect(redacted("x $$(Jb)hzq y", "$(Jb)hzq")).toBe("x ‹redacted› y"));

test("learns the keys of RPC URLs from a response, at most 64 URLs, and no other member", () => {
  const known = createSecrets();
  const urls = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, index) => `{"url":"https://u:pass-word@h.example/v3/key-number-${from + index}x","weight":1}`,
    );
  known.learn(
    Buffer.from(
      '{"data":[{"custom_rpc_urls":null,"url":"https://h.example/other-key"},{"rpc_urls" : [ "https://h.example/bare]-key" ]}]}',
    ),
  );
  known.learn(Buffer.from(`{"data":{"custom_rpc_urls":[${urls(0, 40)}]}}`));
  known.learn(Buffer.from(`{"data":{"custom_rpc_urls":[${urls(0, 40)}]}}`));
  known.learn(Buffer.from('{"rpc_urls":[{"url":5},["https://h.example/in-a-list"],{"url":"https://h.example/cut-off'));
  known.learn(Buffer.from('{"rpc_urls":["https://h.example","https://h.example/***","https://h.example/v2"]}'));
  known.learn(Buffer.from(`{"rpc_urls":[${urls(40, 60)}]}`));
  for (const text of ["key-number-0x", "key-number-62x", "pass-word", "bare]-key"])
    expect(known.redact(text)).toBe("‹redacted›");
  for (const text of ["key-number-63x", "other-key", "in-a-list", "cut-off"]) expect(known.redact(text)).toBe(text);
});

test("reads a list of RPC URLs of any length once", () => {
  const url = (length: number) => `https://h.example/${"k".repeat(length)}`;
  const urls = [8, 300, 3_000].map(url);
  const body = Buffer.from(urls.map((each) => `{"rpc_urls":["${each}"]}`).join(","));
  const seen = new Set<string>();
  expect([...receivedRpcUrls(body, seen)]).toEqual(urls);
  expect([...receivedRpcUrls(body, seen)]).toEqual([]);
});

test("replaces a secret in a query with + for a space", () =>
  expect(redacted("key=correct+horse+battery", "correct horse battery")).toBe("key=‹redacted›"));

test("searches a run of backslashes in a time that grows with its length", () => {
  const { source } = secretPattern(`a-'"\\$ z9tok`);
  // Without a bound, the whole run would be searched again from each of them.
  expect(source.match(/\\\\[+*]/g)).toBeNull();
});

test("replaces the longer of two secrets first", () =>
  expect(redacted("abcdefgh-long", "abcdefgh", "abcdefgh-long")).toBe("‹redacted›"));

describe("bytes", () => {
  const known = createSecrets();
  known.add(SECRET);

  test("contain no secret without an encoded secret or an escape", () =>
    expect(known.mayOccurIn(Buffer.from('{"id":"relayer-1","created_at":"2026-08-20T10:00:00+00:00"}'))).toBe(false));

  test.each(["50%", "a\\u0062", "&#97;", "\xff"])("may contain an encoded secret: %j", (text) => {
    expect(known.mayOccurIn(Buffer.from(text, "latin1"))).toBe(true);
  });

  test("contain no secret if none is known", () => expect(createSecrets().mayOccurIn(Buffer.from("text"))).toBe(false));
});

test("ignores short secrets", () => expect(redacted("1234567", "1234567")).toBe("1234567"));

test("changes nothing if no secret is known", () => expect(createSecrets().redact("text")).toBe("text"));

test("replaces a long key completely", () => {
  const key = Array.from({ length: 1_200 }, (_, index) => (index * index * 7919).toString(36))
    .join("")
    .slice(0, 1_200);
  expect(redacted(`{"key":"${key}"}`, key)).toBe(`{"key":"${"‹redacted›".repeat(3)}"}`);
});

describe("no part of an encoded secret remains", () => {
  const encoders: Record<string, (text: string) => string> = {
    plain: (text) => text,
    json: (text) => JSON.stringify(text).slice(1, -1),
    percent: (text) => encodeURIComponent(text),
    form: (text) => new URLSearchParams({ key: text }).toString(),
    hex: (text) => Buffer.from(text).toString("hex"),
    base64: (text) => Buffer.from(text).toString("base64"),
    base64url: (text) => Buffer.from(text).toString("base64url"),
  };
  /** Every way to read what is left; the letters of an encoding may be grouped from any of the first four. */
  const decoders: Record<string, (text: string) => string[]> = {
    plain: (text) => [text],
    json: (text) => [unescaped(text)],
    percent: (text) => [decodeURIComponent(text)],
    form: (text) => [new URLSearchParams(`key=${text.replace("key=", "")}`).get("key") ?? ""],
    hex: (text) => grouped(text, "hex"),
    base64: (text) => grouped(text, "base64"),
    base64url: (text) => grouped(text, "base64url"),
  };
  const grouped = (text: string, encoding: BufferEncoding) =>
    [0, 1, 2, 3].map((start) => Buffer.from(text.slice(start), encoding).toString("latin1"));
  const secrets = fc.oneof(
    fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 80 }),
    fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }),
    fc.base64String({ minLength: 8, maxLength: 700 }),
  );
  const around = fc.string({ unit: "grapheme-ascii", maxLength: 10 });

  test.each(Object.keys(encoders))("%s", (name) => {
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        const text = encoders[name]?.(before + secret + after) ?? "";
        const output = redacted(text, secret);
        expect(output).toContain("‹redacted›");
        const rests = output.split("‹redacted›").flatMap((rest) => decoders[name]?.(rest) ?? []);
        const needle = /hex|base64/.test(name) ? Buffer.from(secret).toString("latin1") : secret;
        for (const rest of rests) expect(rest).not.toContain(needle);
      }),
    );
  });
});

/** What is left may end within an escape, and is then taken as it is. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return text;
  }
}

const text = fc
  .array(fc.constantFrom(0, 0x61, 0x62, 0xff), { minLength: 2, maxLength: 6 })
  .map((bytes) => Buffer.from(bytes));
const bytes = fc.array(fc.constantFrom(0, 0x61, 0x62, 0xff), { maxLength: 40 }).map((bytes) => Buffer.from(bytes));

test("finds what a search for each text finds", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), bytes, (texts, bytes) => {
      expect(createSecretSearch(texts)(bytes)).toBe(texts.some((text) => bytes.includes(text)));
    }),
    runs(150, 40_000),
  );
});

test.each([255, 256, 257, 600])("finds a text of %i bytes at any place", (length) => {
  const long = Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 251));
  const search = createSecretSearch([long]);
  for (let before = 0; before < 2 * length; before++) {
    const around = Buffer.concat([Buffer.alloc(before, "-"), long, Buffer.alloc(3)]);
    expect(search(around)).toBe(true);
    expect(search(around.subarray(0, before + length - 1))).toBe(false);
  }
});
