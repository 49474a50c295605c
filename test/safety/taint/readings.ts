/** So few letters stand in other texts by chance, above all in what is decoded from no base64. */
const FEWEST_LETTERS = 8;

/** Returns the names of the secrets that a text shows, in whatever encoding and with whatever escapes. */
export function shownIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  const all = readingsOf(text);
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const letters = lettersOf(secret);
    const isIn = (reading: Reading) =>
      reading.text.includes(secret) || (letters.length >= FEWEST_LETTERS && reading.letters.includes(letters));
    return all.some(isIn) ? [name] : [];
  });
}

interface Reading {
  text: string;
  /** Without what could be an escape, a quote, or a separator. */
  letters: string;
}

/** What a reader finds who undoes escapes up to three times, each with what its runs of hex and base64 say. */
function readingsOf(text: string): Reading[] {
  const found = new Set([text]);
  let last = text;
  for (let times = 0; times < 3; times++) {
    last = withoutPercents(withoutEntities(withoutEscapes(last)));
    found.add(last);
  }
  for (const one of [...found]) found.add(runs(one, /[0-9a-f]{12,}/gi, fromHex)).add(runs(one, BASE64, fromBase64));
  return [...found].map((one) => ({ text: one, letters: lettersOf(one) }));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

const BASE64 = /[A-Za-z0-9+/_-]{10,}/g;

/** JSON, YAML, and shells, whose quotes and line breaks in the middle of a word say nothing. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\\r?\n\s*/g, "")
    .replace(/\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, ...hex: (string | undefined)[]) => {
      const code = Number.parseInt(hex.slice(0, 3).find((one) => one !== undefined) ?? "0", 16);
      return code > 0x10ffff ? "" : String.fromCodePoint(code);
    });
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, ten?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = ten === undefined ? Number.parseInt(hex ?? "0", 16) : Number(ten);
    return code > 0x10ffff ? "" : String.fromCodePoint(code);
  });
}

function runs(text: string, pattern: RegExp, decode: (run: string) => string): string {
  return [...text.matchAll(pattern)].map(([run]) => decode(run)).join("\n");
}

function withoutPercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}

/** A run may begin in the middle of a byte, or of a group of bytes. */
function fromHex(run: string): string {
  return [run, run.slice(1)].map((from) => Buffer.from(from, "hex").toString()).join(" ");
}

function fromBase64(run: string): string {
  return [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), "base64").toString()).join(" ");
}
