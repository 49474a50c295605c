/** Returns every form of a secret in a text: literal, or in an encoding of a request, a response, or an error. */
export function formsOf(secret: string): readonly (string | RegExp)[] {
  // JSON comes first: removing the plain text from its escaped form would leave half an escape.
  return [jsonEscaped(secret), percentEncoded(secret), ...literalForms(secret)];
}

/** Returns the forms that are one literal text: plain, hex, and base64. */
export function literalForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  return [secret, hex, hex.toUpperCase(), ...base64Forms(bytes)];
}

/** Matches each character literally or percent-encoded, as encoders differ; a space also as `+`. */
function percentEncoded(secret: string): RegExp {
  return patternOf(secret, (character) => {
    const encoded = [...Buffer.from(character)].map((byte) => `%${hexDigits(byte, 2)}`).join("");
    if (character === "%") return encoded;
    return `(?:${literally(character)}|${encoded}${character === " " ? "|\\+" : ""})`;
  });
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t" };

/** Matches each character literally or escaped, as in JSON, and as in this program's own `\u{1b}`. */
function jsonEscaped(secret: string): RegExp {
  return patternOf(secret, (character) => {
    const units = character.split("").map((unit) => `\\\\u${hexDigits(unit.charCodeAt(0), 4)}`);
    const braced = `\\\\u\\{0*${hexDigits(character.codePointAt(0) ?? 0, 1)}\\}`;
    const short = SHORT_ESCAPES[character] ?? (/["\\/]/.test(character) ? literally(character) : undefined);
    const escapes = [units.join(""), braced, ...(short === undefined ? [] : [`\\\\${short}`])];
    return `(?:${[...escapes, ...(character === "\\" ? [] : [literally(character)])].join("|")})`;
  });
}

function patternOf(secret: string, patternOfCharacter: (character: string) => string): RegExp {
  return new RegExp([...secret].map(patternOfCharacter).join(""), "g");
}

function literally(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** Matches hex digits in either case. */
function hexDigits(number: number, length: number): string {
  const digits = number.toString(16).padStart(length, "0");
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * Returns the three forms of a secret inside longer base64, which groups three bytes. Each omits the edges, which
 * contain part of the neighboring bytes.
 */
function base64Forms(bytes: Buffer): string[] {
  const cores = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return cores.flatMap((core) => [core, core.replaceAll("+", "-").replaceAll("/", "_")]);
}
