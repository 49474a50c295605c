import { ByteScanner, hashOf } from "./byte-scanner.ts";
import { parseJson } from "./parse.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./structure-scanner.ts";
import { type JsonObject, type JsonValue, newObject } from "./values.ts";

const SPACES = [0x20, 0x0a, 0x0d, 0x09];
const [LETTER_F, LETTER_N, LETTER_T] = [0x66, 0x6e, 0x74];
const ENDS_VALUE = new Uint8Array(256);
for (const byte of [COMMA, CLOSE_OBJECT, CLOSE_ARRAY, ...SPACES]) ENDS_VALUE[byte] = 1;

/**
 * Reads some fields of objects in ASCII, and skips the others. An outline has validated the bytes already: they are
 * JSON, no object has a duplicate key, and no key has an escape.
 */
export class FieldReader extends ByteScanner {
  private readonly buffer: Buffer;
  private readonly names: readonly string[];
  private readonly hashes: readonly number[];

  constructor(bytes: Uint8Array, names: readonly string[]) {
    super(bytes);
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.names = names;
    this.hashes = names.map(hashOf);
  }

  /** @param start the position of the opening brace */
  fieldsAt(start: number): JsonObject {
    const object = newObject();
    this.at = start + 1;
    if (this.take(CLOSE_OBJECT)) return object;
    do {
      const name = this.name();
      this.expect(COLON);
      if (name === undefined) this.passOver();
      else object[name] = this.value();
    } while (this.take(COMMA));
    return object;
  }

  /** Scans a key and returns it if it is wanted. */
  private name(): string | undefined {
    this.next();
    const start = this.at + 1;
    const hash = this.text();
    for (let index = 0; index < this.hashes.length; index++) {
      if (this.hashes[index] === hash && this.isText(this.names[index] ?? "", start, this.at - 1)) {
        return this.names[index];
      }
    }
    return undefined;
  }

  private value(): JsonValue {
    const first = this.next();
    const start = this.at;
    this.passOver();
    if (first === QUOTE && !this.isEscaped) return this.characters(start + 1, this.at - 1);
    if (first === LETTER_T || first === LETTER_F) return first === LETTER_T;
    return first === LETTER_N ? null : parseJson(this.characters(start, this.at));
  }

  private characters(start: number, end: number): string {
    return this.buffer.toString("latin1", start, end);
  }

  private passOver(): void {
    let open = 0;
    do {
      const byte = this.next();
      if (byte === QUOTE) this.text();
      else {
        if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open++;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) open--;
        this.at++;
      }
    } while (open > 0 || !ENDS_VALUE[this.bytes[this.at] ?? 0]);
  }
}
