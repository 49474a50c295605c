import { isUtf8 } from "node:buffer";
import { isNumber } from "../../contract/decimal.ts";
import { isPlainObject, keysOf, parseJson, writeJson } from "../../contract/json.ts";
import { receivedRpcUrls, secretRpcUrlParts } from "../../contract/rpc-url.ts";
import { type Masked, markMasked, REDACTED, type Secrets } from "../../contract/secret-fields.ts";
import { elseOnError } from "../../errors.ts";

/** The bits of the number that stands for a pair of bytes. */
const BITS = 13;
const [HIGH, MASK] = [BITS - 8, 2 ** BITS - 1];
/** The searched bytes at the start of a text: a step's length is kept in one byte. */
const LONGEST = 256;

/** Finds texts of two bytes or more: reads two bytes of each stretch as long as the shortest. */
export function createSecretSearch(texts: readonly Uint8Array[]): (bytes: Uint8Array) => boolean {
  if (texts.length === 0) return () => false;
  const length = Math.min(LONGEST, ...texts.map((text) => text.length));
  const steps = new Uint8Array(MASK + 1).fill(length - 1);
  for (const text of texts)
    for (let at = 1; at < length; at++) {
      const pair = pairAt(text, at);
      steps[pair] = Math.min(steps[pair] as number, length - 1 - at);
    }
  return (bytes) => {
    let at = length - 1;
    while (at < bytes.length) {
      const step = steps[pairAt(bytes, at)] as number;
      if (step === 0 && texts.some((text) => isAt(text, bytes, at - length + 1))) return true;
      at += step || 1;
    }
    return false;
  };
}

/** Returns a number of the two bytes up to a position, which other bytes may share. */
function pairAt(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << HIGH) ^ (bytes[at - 1] as number)) & MASK;
}

function isAt(text: Uint8Array, bytes: Uint8Array, start: number): boolean {
  let equal = 0;
  while (equal < text.length && bytes[start + equal] === text[equal]) equal++;
  return equal === text.length;
}

/** Shorter texts, which would match everywhere, are only replaced as a whole. */
const SHORTEST = 8;

/** The most URLs of responses whose parts are searched for: all output is searched for each. */
const MOST_LEARNED = 64;

/** Longer secrets are searched in pieces of about this many characters: a pattern has a maximum size. */
const PIECE = 512;

export function createSecrets(): Secrets {
  const pieces = new Set<string>();
  const whole = new Set<string>();
  const learned = new Set<string>();
  const seen = new Set<string>();
  let patterns: readonly (readonly [piece: string, form: RegExp])[] | undefined;
  let search: Search | undefined;

  const add = (secret: string): void => {
    if (secret === "" || pieces.has(secret)) return;
    if (secret.length < SHORTEST) {
      // A short number would be an amount everywhere.
      if (!/^\d+$/.test(secret)) whole.add(secret);
      return;
    }
    for (const piece of splitSecret(secret)) pieces.add(piece);
    [patterns, search] = [undefined, undefined];
  };
  /** Built on first need: the patterns take longer than everything else with a token. */
  const searchNow = () => (search ??= searchFor([...pieces]));
  const redact = (text: string): Masked<string> => {
    if (!searchNow().mayOccurIn(text)) return markMasked(text);
    patterns ??= [...pieces].map((piece) => [piece, secretPattern(piece)]);
    const spans = patterns.flatMap(([piece, form]) =>
      [...text.matchAll(form)].flatMap(({ index, 0: found }) =>
        found === piece && isPartOfNumber(text, index, piece) ? [] : [[index, index + found.length] as const],
      ),
    );
    return markMasked(withoutSpans(text, spans));
  };
  const mayOccurInBytes = (bytes: Uint8Array): boolean => {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return !isUtf8(chunk) || searchNow().mayOccurInBytes(chunk) || [...whole].some((text) => chunk.includes(text));
  };
  const mask = createMask({ pieces, whole, redact, mayOccurInBytes });
  return {
    add,
    learn(body: Uint8Array): void {
      for (const url of receivedRpcUrls(body, seen)) {
        // A shorter part is often a word of other values, e.g. `user`.
        const parts = learned.has(url) ? [] : secretRpcUrlParts(url).filter(({ length }) => length >= SHORTEST);
        if (parts.length === 0) continue;
        if (learned.size >= MOST_LEARNED) return;
        learned.add(url);
        for (const part of parts) add(part);
      }
    },
    redact,
    masked: <T>(value: T) => markMasked(pieces.size + whole.size === 0 ? value : (mask(value) as T)),
    mayOccurIn: (chunk) => (typeof chunk === "string" ? searchNow().mayOccurIn(chunk) : mayOccurInBytes(chunk)),
  };
}

interface Masking extends Pick<Secrets, "redact"> {
  pieces: ReadonlySet<string>;
  whole: ReadonlySet<string>;
  mayOccurInBytes(bytes: Uint8Array): boolean;
}

/** Returns a function that masks the texts in a value, or returns the value itself without any. */
function createMask({ pieces, whole, redact, mayOccurInBytes }: Masking): (value: unknown) => unknown {
  const maskedText = (text: string) => (whole.has(text) ? REDACTED : redact(text));
  const isSecretNumber = (value: unknown) => isNumber(value) && pieces.has(String(value));
  const mask = (value: unknown): unknown => {
    if (typeof value === "string") return maskedText(value);
    if (value instanceof Uint8Array) return maskedBytes(value);
    if (Array.isArray(value)) return sameOr(value, value.map(mask));
    if (!isPlainObject(value)) return isSecretNumber(value) ? REDACTED : value;
    const names = keysOf(value);
    const members = names.map((name) => [maskedText(name), mask(value[name])] as const);
    if (members.every(([name, member], index) => name === names[index] && member === value[name])) return value;
    return Object.fromEntries(members);
  };
  /** Replaces the texts of JSON by value, so that it stays JSON. */
  const maskedBytes = (bytes: Uint8Array): Uint8Array => {
    if (!mayOccurInBytes(bytes)) return bytes;
    const text = new TextDecoder().decode(bytes);
    const masked = elseOnError(() => jsonMasked(text)) ?? redact(text);
    return masked === text ? bytes : Buffer.from(masked);
  };
  const jsonMasked = (text: string): string => {
    const json = parseJson(text);
    const masked = mask(json);
    return masked === json ? redact(text) : writeJson(masked as typeof json) + (/\s*$/.exec(text)?.[0] ?? "");
  };
  return mask;
}

/** A fast test that a text contains no secret. */
interface Search {
  mayOccurIn(text: string): boolean;
  mayOccurInBytes(bytes: Buffer): boolean;
}

function searchFor(pieces: readonly string[]): Search {
  if (pieces.length === 0) return { mayOccurIn: () => false, mayOccurInBytes: () => false };
  const found = pieces.map(secretFormHints);
  if (found.includes(undefined)) return { mayOccurIn: () => true, mayOccurInBytes: () => true };
  const hints = [...new Set(found.flatMap((each) => each ?? []))];
  const occurIn = createSecretSearch(hints.map((hint) => Buffer.from(hint)));
  return {
    mayOccurIn: (text) => mayHoldSecretForm(text) || hints.some((hint) => text.includes(hint)),
    mayOccurInBytes: (bytes) => mayHoldSecretForm(bytes) || occurIn(bytes),
  };
}

type Span = readonly [start: number, end: number];

/** Longer hex digits aren't part of an address by chance. */
const LONGEST_BY_CHANCE = 32;

/** Returns whether a found secret is in the middle of a number, e.g. of an amount or an address. */
function isPartOfNumber(text: string, start: number, found: string): boolean {
  const end = start + found.length;
  const [before, after] = [text.slice(Math.max(0, start - 128), start), text.slice(end, end + 2)];
  if (/^\d+$/.test(found)) return /\d\.?$/.test(before) || /^\.?\d/.test(after);
  if (found.length >= LONGEST_BY_CHANCE || !/^(?:0x)?[0-9a-f]+$/i.test(found)) return false;
  const isMore = /0x[0-9a-f]+$/i.test(before) || /^[0-9a-f]/i.test(after);
  return isMore && /0x[0-9a-f]*$/i.test(before + found);
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let [shown, at] = ["", -1];
  for (const [start, end] of spans.toSorted((one, other) => one[0] - other[0])) {
    if (start >= at) shown += text.slice(Math.max(at, 0), start) + REDACTED;
    at = Math.max(at, end);
  }
  return shown + text.slice(Math.max(at, 0));
}

function sameOr<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

function splitSecret(secret: string): string[] {
  const characters = [...secret];
  const count = Math.ceil(characters.length / PIECE);
  const size = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(""));
}

/** Matches literal text, JSON, percent, HTML, CSV, Markdown, shell, nested, hex, bytes, and base64. */
export function secretPattern(secret: string): RegExp {
  const spelled = [...secret].map(characterPattern).join("");
  return new RegExp([spelled, ...byteForms(secret).map(escapePattern)].join("|"), "g");
}

/** Each form of a secret contains one of them, unless it encodes more than needed (see `mayHoldSecretForm`). */
function secretFormHints(secret: string): readonly string[] | undefined {
  const plain = secret.match(/[A-Za-z0-9]{2,}/g)?.sort((a, b) => b.length - a.length)[0];
  return plain === undefined ? undefined : [plain, ...byteForms(secret)];
}

const ENCODED = ["%", "&#", "\\u", "\\x"];

/** Returns whether a text may contain characters in an encoding that hides them from a search for a plain text. */
function mayHoldSecretForm(chunk: string | Buffer): boolean {
  return ENCODED.some((start) => chunk.includes(start));
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t" };
/** Backslashes of nested escapes, bounded: a run of them would be searched again from each of them. */
const SLASHES = "\\\\{1,64}";
/** Quotes around an escaped character in shells, in CSV and YAML, and `$` in a fleet. */
const QUOTES: Readonly<Record<string, readonly string[]>> = {
  "'": [`'?(?:${SLASHES}')+'?`, `'"'"'`, "''"],
  '"': [`""`],
  "\\": [`'?${SLASHES}'?`],
  $: ["\\$\\$"],
};

function characterPattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const units = character.split("").map((unit) => `${SLASHES}u${hexDigits(unit.charCodeAt(0), 4)}`);
  const bytes = [...Buffer.from(character)].map((byte) => `(?:%(?:25)*|${SLASHES}x)${hexDigits(byte, 2)}`);
  const named = ENTITIES[character] ?? SHORT_ESCAPES[character];
  const forms = [
    units.join(""),
    `${SLASHES}u\\{0*${hexDigits(code, 1)}\\}`,
    `&#0*${code};`,
    `&#[xX]0*${hexDigits(code, 1)};`,
    bytes.join(""),
    ...(character in ENTITIES ? [`&${named};`] : named === undefined ? [] : [SLASHES + named]),
    ...(character === " " ? ["\\+"] : []),
    ...(QUOTES[character] ?? []),
    (/[A-Za-z0-9]/.test(character) ? "" : "\\\\{0,64}") + escapePattern(character),
  ];
  return `(?:${forms.join("|")})`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function hexDigits(number: number, length: number): string {
  const digits = number.toString(16).padStart(length, "0");
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Returns the forms of its bytes: hex, numbers, and base64. */
export function literalSecretForms(secret: string): string[] {
  return [secret, ...byteForms(secret)];
}

function byteForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase(), bytes.join(","), bytes.join(", "), ...base64Forms(secret, bytes.length)];
}

/** Returns the three forms of a secret inside longer base64, without the edges that neighbors share. */
function base64Forms(secret: string, length: number): string[] {
  const cores = [0, 1, 2].map((before) => {
    const text = Buffer.from("\0".repeat(before) + secret).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + length) * 8) / 6));
  });
  return cores.flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")]);
}
