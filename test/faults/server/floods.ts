import { gzipSync } from "node:zlib";
import { type Conversation, write } from "./conversation.ts";

const PIECE = 2 ** 20;
const FIELD = 16 * 2 ** 20;

/** The text again and again up to that many bytes, never more than a piece of it in memory. */
export async function flood(conversation: Conversation, text: string, bytes: number): Promise<boolean> {
  const piece = Buffer.from(text.repeat(Math.ceil(Math.min(PIECE, bytes) / text.length)), "latin1");
  for (let left = bytes; left > 0; left -= piece.length) {
    if (!(await write(conversation, left < piece.length ? piece.subarray(0, left) : piece))) return false;
  }
  return true;
}

/** Members of gzip one after another: a small text that becomes that many zeros. */
export async function gzipBomb(conversation: Conversation, bytes: number): Promise<boolean> {
  const field = gzipSync(Buffer.alloc(FIELD));
  for (let left = bytes; left > 0; left -= FIELD) if (!(await write(conversation, field))) return false;
  return true;
}
