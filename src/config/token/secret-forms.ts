/** Matches literal text, JSON, percent, HTML, CSV, Markdown, shell, nested, hex, bytes, and base64. */
export function secretPattern(secret: string): RegExp {
  const spelled = [...secret].map(characterPattern).join("");
  return new RegExp([spelled, ...byteForms(secret).map(escaped)].join("|"), "g");
}

/** Each form of a secret contains one of them, unless it encodes more than needed (see `mayHoldSecretForm`). */
export function secretFormHints(secret: string): readonly string[] | undefined {
  const plain = secret.match(/[A-Za-z0-9]{2,}/g)?.sort((a, b) => b.length - a.length)[0];
  return plain === undefined ? undefined : [plain, ...byteForms(secret)];
}

const ENCODED = ["%", "&#", "\\u", "\\x"];

/** Returns whether a text may contain characters in an encoding that hides them from a search for a plain text. */
export function mayHoldSecretForm(chunk: string | Buffer): boolean {
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
    (/[A-Za-z0-9]/.test(character) ? "" : "\\\\{0,64}") + escaped(character),
  ];
  return `(?:${forms.join("|")})`;
}

function escaped(text: string): string {
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
