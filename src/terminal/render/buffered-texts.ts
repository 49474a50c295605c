import { utf8Text } from "../../contract/encoding/utf8.ts";

const CHUNK = 2 ** 18;
/** The most bytes of a UTF-16 character in UTF-8. */
const MOST_BYTES = 3;
const PLACE = 16;

interface Chunk {
  bytes: Buffer;
  used: number;
}

/** Texts as UTF-8 in a few large chunks outside of V8's heap, where strings and values take several times as much. */
export class BufferedTexts {
  private readonly chunks: Chunk[] = [];
  private readonly chunkOf: number[] = [];
  private readonly startOf: number[] = [];
  private used = 0;

  get count(): number {
    return this.startOf.length;
  }

  get bytes(): number {
    return this.used + PLACE * this.count;
  }

  add(text: string): void {
    const chunk = this.roomFor(text);
    this.chunkOf.push(this.chunks.length - 1);
    this.startOf.push(chunk.used);
    const written = chunk.bytes.write(text, chunk.used);
    chunk.used += written;
    this.used += written;
  }

  private at(index: number): Uint8Array {
    const at = this.chunkOf[index] ?? 0;
    const { bytes, used } = this.chunks[at] as Chunk;
    const end = this.chunkOf[index + 1] === at ? this.startOf[index + 1] : used;
    return bytes.subarray(this.startOf[index], end);
  }

  textAt(index: number): string {
    return utf8Text(this.at(index));
  }

  /** Yields the bytes of all texts in a row, many texts at a time. */
  *inOrder(): Generator<Uint8Array> {
    for (const { bytes, used } of this.chunks) yield bytes.subarray(0, used);
  }

  /** Yields the bytes of texts at these indexes in a row, many texts at a time. */
  *inOrderOf(indexes: readonly number[]): Generator<Uint8Array> {
    let texts: Uint8Array[] = [];
    let length = 0;
    for (const index of indexes) {
      const text = this.at(index);
      texts.push(text);
      length += text.length;
      if (length < CHUNK) continue;
      yield Buffer.concat(texts);
      [texts, length] = [[], 0];
    }
    if (length > 0) yield Buffer.concat(texts);
  }

  private roomFor(text: string): Chunk {
    const most = MOST_BYTES * text.length;
    const last = this.chunks.at(-1);
    if (last && last.bytes.length - last.used >= most) return last;
    const size = most > CHUNK ? Buffer.byteLength(text) : CHUNK;
    const added: Chunk = { bytes: Buffer.allocUnsafeSlow(size), used: 0 };
    this.chunks.push(added);
    return added;
  }
}
