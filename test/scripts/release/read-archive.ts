import { gunzipSync } from "node:zlib";

/** What is at a path of a tar archive. */
export interface Archived {
  type: "file" | "folder" | "link";
  mode: number;
  owner: string;
  time: number;
  content: Buffer;
  link: string;
}

const BLOCK = 512;
const TYPES: Record<string, Archived["type"]> = { "0": "file", "5": "folder", "2": "link" };

/** Reads a tar archive, compressed or not: each path in the order of the archive. */
export function readTar(bytes: Buffer): Map<string, Archived> {
  const plain = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
  const found = new Map<string, Archived>();
  for (let at = 0; plain[at] !== 0; ) {
    const head = plain.subarray(at, at + BLOCK);
    const size = octal(head, 124, 12);
    const content = plain.subarray(at + BLOCK, at + BLOCK + size);
    const path = text(head, 0, 100);
    if (octal(head, 148, 8) !== sumOf(head)) throw new Error(`the checksum of ${path} is wrong`);
    if (found.has(path)) throw new Error(`${path} is there twice`);
    const type = TYPES[text(head, 156, 1)];
    if (type === undefined) throw new Error(`${path} has an unknown type`);
    const owner = `${octal(head, 108, 8)}:${octal(head, 116, 8)} ${text(head, 265, 32)}:${text(head, 297, 32)}`;
    const link = text(head, 157, 100);
    found.set(path, { type, mode: octal(head, 100, 8), owner, time: octal(head, 136, 12), content, link });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return found;
}

/** Reads the archive around the parts of a Debian package. */
export function readAr(bytes: Buffer): Map<string, Buffer> {
  if (text(bytes, 0, 8) !== "!<arch>\n") throw new Error("this is not an ar archive");
  const found = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const size = Number(text(bytes, at + 48, 10));
    if (text(bytes, at + 58, 2) !== "`\n") throw new Error(`the header at ${at} does not end`);
    found.set(text(bytes, at, 16).trim(), bytes.subarray(at + 60, at + 60 + size));
    at += 60 + size + (size % 2);
  }
  return found;
}

/** The sum of a header, in which the sum itself counts as spaces. */
function sumOf(head: Buffer): number {
  return head.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function octal(bytes: Buffer, at: number, length: number): number {
  return Number.parseInt(text(bytes, at, length), 8);
}

function text(bytes: Buffer, at: number, length: number): string {
  return bytes.toString("utf8", at, at + length).replace(/\0.*$/s, "");
}
