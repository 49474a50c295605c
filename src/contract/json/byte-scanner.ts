/** Bytes that a scanner cannot validate, or that are not JSON: the exact parser decides. */
export class UnreliableScan extends Error {
  override readonly name = "UnreliableScan";
}

const [QUOTE, BACKSLASH, SPACE, MINUS, DOT, ZERO, NINE] = [0x22, 0x5c, 0x20, 0x2d, 0x2e, 0x30, 0x39];
const [DELETE, C1_LEAD, C1_END] = [0x7f, 0xc2, 0xa0];
/** The letters after a backslash that `writeJson` also writes: `"`, `\`, b, f, n, r, t. */
const USUAL_ESCAPES = [0x22, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74];
const [SLASH, LETTER_U] = [0x2f, 0x75];
/** Bytes of a text that need attention: backslash, controls, DEL, and everything beyond ASCII. */
const IS_SPECIAL = new Uint8Array(256).fill(1, 0, SPACE).fill(1, DELETE);
IS_SPECIAL[BACKSLASH] = 1;
const EXPONENTS = [0x45, 0x65];
const SIGNS = [0x2b, 0x2d];

/**
 * Scans JSON in UTF-8 as strictly as the exact parser, without building values. It throws `UnreliableScan` in unclear
 * cases, so the exact parser accepts everything that the scanner accepts.
 */
export class ByteScanner {
  protected at = 0;
  protected readonly bytes: Uint8Array;
  /**
   * Whether everything scanned since the last reset is spelled as `writeJson` spells it, without spaces or other
   * escapes.
   */
  protected isPlain = true;
  /** Whether anything scanned since the last reset requires the exact parser. */
  protected isOdd = false;
  /** Whether the last text had an escape, so that its bytes differ from the text. */
  protected isEscaped = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Scans a text and returns a hash of its bytes. */
  protected text(): number {
    const { bytes } = this;
    let hash = 0;
    let at = this.at + 1;
    this.isEscaped = false;
    for (let byte = bytes[at] ?? 0; byte !== QUOTE; byte = bytes[++at] ?? 0) {
      if (IS_SPECIAL[byte]) at += this.special(byte, bytes[at + 1] ?? 0);
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    this.at = at + 1;
    return hash;
  }

  /** Returns how many more bytes belong to this character. */
  private special(byte: number, next: number): number {
    if (byte === BACKSLASH) return this.escape(next);
    if (byte < SPACE) throw new UnreliableScan();
    // JSON allows DEL and the controls of C1; printing escapes them.
    if (byte === DELETE || (byte === C1_LEAD && next < C1_END)) this.isPlain = false;
    return 0;
  }

  private escape(letter: number): number {
    this.isEscaped = true;
    if (USUAL_ESCAPES.includes(letter)) return 1;
    this.isPlain = false;
    if (letter === LETTER_U) this.isOdd = true;
    else if (letter !== SLASH) throw new UnreliableScan();
    return 1;
  }

  protected number(): void {
    if (this.bytes[this.at] === MINUS) this.at++;
    const isZero = this.bytes[this.at] === ZERO;
    if (this.digits() > 1 && isZero) throw new UnreliableScan();
    if (this.bytes[this.at] === DOT) {
      this.at++;
      this.digits();
    }
    if (EXPONENTS.includes(this.bytes[this.at] ?? 0)) {
      this.at++;
      if (SIGNS.includes(this.bytes[this.at] ?? 0)) this.at++;
      this.digits();
    }
  }

  private digits(): number {
    const start = this.at;
    let digit = this.bytes[start] ?? 0;
    while (digit >= ZERO && digit <= NINE) digit = this.bytes[++this.at] ?? 0;
    if (this.at === start) throw new UnreliableScan();
    return this.at - start;
  }

  protected word(word: string): void {
    for (let index = 0; index < word.length; index++) {
      if (this.bytes[this.at++] !== word.charCodeAt(index)) throw new UnreliableScan();
    }
  }

  /** Returns whether these bytes are an ASCII text. */
  protected isText(text: string, start: number, end: number): boolean {
    if (end - start !== text.length) return false;
    for (let index = 0; index < text.length; index++) {
      if (this.bytes[start + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Returns the next byte that is not a space. `writeJson` never writes a space between the parts of an item. */
  protected next(): number {
    let byte = this.bytes[this.at] ?? 0;
    while (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.isPlain = false;
      byte = this.bytes[++this.at] ?? 0;
    }
    return byte;
  }

  protected take(byte: number): boolean {
    if (this.next() !== byte) return false;
    this.at++;
    return true;
  }

  protected expect(byte: number): void {
    if (!this.take(byte)) throw new UnreliableScan();
  }
}

/** Returns the hash that `text` returns for an ASCII text without escapes. */
export function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}
