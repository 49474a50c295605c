/** Bytes that a scanner cannot validate, or that are not JSON: the exact parser decides. */
export class UnreliableScan extends Error {
  override readonly name = "UnreliableScan";
}

const [QUOTE, BACKSLASH, SPACE, MINUS, DOT, ZERO, NINE] = [0x22, 0x5c, 0x20, 0x2d, 0x2e, 0x30, 0x39];
const [DELETE, BEYOND_ASCII, C1_LEAD, C1_END] = [0x7f, 0x80, 0xc2, 0xa0];
/** The letters after a backslash that `writeJson` also writes: `"`, `\`, b, f, n, r, t. */
const USUAL_ESCAPES = [0x22, 0x5c, 0x62, 0x66, 0x6e, 0x72, 0x74];
const [SLASH, LETTER_U] = [0x2f, 0x75];
/** Bytes of a text that need no attention: printable ASCII without quote and backslash. */
const IS_USUAL = new Uint8Array(256).fill(1, SPACE, DELETE);
IS_USUAL[QUOTE] = 0;
IS_USUAL[BACKSLASH] = 0;
const [LARGE_E, SMALL_E, PLUS] = [0x45, 0x65, 0x2b];

/** Scans JSON in UTF-8 as strictly as the exact parser; throws `UnreliableScan` in unclear cases. */
export class ByteScanner {
  protected at = 0;
  protected readonly bytes: Uint8Array;
  /** Whether everything since the last reset is spelled as `writeJson` spells it, without spaces or other escapes. */
  protected isPlain = true;
  /** Whether every text since the last reset is its bytes: ASCII without escapes. */
  protected isAscii = true;
  /** Whether anything since the last reset requires the exact parser. */
  protected isOdd = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** @param from where to begin, if the bytes of the text before it need no attention */
  protected text(from = this.at + 1): void {
    const { bytes } = this;
    let at = from;
    for (;;) {
      let byte = bytes[at] as number;
      while (IS_USUAL[byte] === 1) byte = bytes[++at] as number;
      if (byte === QUOTE) break;
      at += this.unusual(byte, bytes[at + 1] ?? 0);
    }
    this.at = at + 1;
  }

  /** Returns the number of bytes to pass over. */
  private unusual(byte: number, next: number): number {
    if (byte === BACKSLASH) return this.escape(next);
    // JSON allows DEL and the controls of C1; printing escapes them.
    if (byte === DELETE || (byte === C1_LEAD && next < C1_END)) this.isPlain = false;
    else if (!(byte >= BEYOND_ASCII)) throw new UnreliableScan();
    if (byte !== DELETE) this.isAscii = false;
    return 1;
  }

  private escape(letter: number): number {
    this.isAscii = false;
    if (USUAL_ESCAPES.includes(letter)) return 2;
    this.isPlain = false;
    if (letter === LETTER_U) this.isOdd = true;
    else if (letter !== SLASH) throw new UnreliableScan();
    return 2;
  }

  protected number(): void {
    const { bytes } = this;
    if (bytes[this.at] === MINUS) this.at++;
    const isZero = bytes[this.at] === ZERO;
    if (this.digits() > 1 && isZero) throw new UnreliableScan();
    if (bytes[this.at] === DOT) {
      this.at++;
      this.digits();
    }
    const byte = bytes[this.at];
    if (byte !== SMALL_E && byte !== LARGE_E) return;
    const sign = bytes[++this.at];
    if (sign === PLUS || sign === MINUS) this.at++;
    this.digits();
  }

  private digits(): number {
    const { bytes, at: start } = this;
    let at = start;
    let digit = bytes[at] as number;
    while (digit >= ZERO && digit <= NINE) digit = bytes[++at] as number;
    if (at === start) throw new UnreliableScan();
    this.at = at;
    return at - start;
  }

  protected word(word: string): void {
    for (let index = 0; index < word.length; index++) {
      if (this.bytes[this.at++] !== word.charCodeAt(index)) throw new UnreliableScan();
    }
  }

  /** Returns the next byte that is not a space, which `writeJson` never writes between the parts of an item. */
  protected next(): number {
    const byte = this.bytes[this.at] as number;
    return byte > SPACE ? byte : this.afterSpaces();
  }

  private afterSpaces(): number {
    let byte = this.bytes[this.at] as number;
    while (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.isPlain = false;
      byte = this.bytes[++this.at] as number;
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
