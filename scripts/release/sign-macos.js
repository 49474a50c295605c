import { createHash } from "node:crypto";

const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const PAGE = 4096;
/** Segments of both processors are multiples of this in memory. */
const MEMORY_PAGE = 16_384;
const IDENTIFIER = "relayctl\0";
const HASH = 32;
/** The lengths of a superblob with one entry, and of a code directory of version 2.4. */
const [SUPERBLOB, DIRECTORY] = [20, 88];

/**
 * Returns a macOS executable with a new ad-hoc signature. Bun leaves the signature of its package in an executable for x64, and
 * macOS would kill the process. The signature says nothing about who built it.
 * @param {Buffer} bytes
 */
export function signed(bytes) {
  const commands = commandsOf(bytes);
  const signature = commands.find(({ kind }) => kind === CODE_SIGNATURE);
  const text = commands.find(({ name }) => name === "__TEXT");
  const last = commands.find(({ name }) => name === "__LINKEDIT");
  if (!signature || !text || !last) throw new Error("the executable has no place for a signature");
  const limit = bytes.readUInt32LE(signature.at + 8);
  const pages = Math.ceil(limit / PAGE);
  const length = SUPERBLOB + DIRECTORY + IDENTIFIER.length + pages * HASH;
  const result = Buffer.concat([bytes.subarray(0, limit), Buffer.alloc(length)]);
  // What is signed includes these lengths.
  result.writeUInt32LE(length, signature.at + 12);
  const fileSize = limit + length - Number(result.readBigUInt64LE(last.at + 40));
  result.writeBigUInt64LE(BigInt(Math.ceil(fileSize / MEMORY_PAGE) * MEMORY_PAGE), last.at + 32);
  result.writeBigUInt64LE(BigInt(fileSize), last.at + 48);
  writeSignature(result, { limit, pages, length, textSize: result.readBigUInt64LE(text.at + 48) });
  return result;
}

function commandsOf(bytes) {
  const commands = [];
  let at = 32;
  for (let index = 0; index < bytes.readUInt32LE(16); index++) {
    const kind = bytes.readUInt32LE(at);
    const name = kind === SEGMENT ? bytes.toString("latin1", at + 8, at + 24).replaceAll("\0", "") : "";
    commands.push({ at, kind, name });
    at += bytes.readUInt32LE(at + 4);
  }
  return commands;
}

function writeSignature(result, { limit, pages, length, textSize }) {
  const hashes = DIRECTORY + IDENTIFIER.length;
  // Magic number, length, one entry: the code directory.
  writeNumbers(result, limit, [0xfade0cc0, length, 1, 0, SUPERBLOB]);
  const directory = limit + SUPERBLOB;
  // Version 2.4, ad hoc and signed by the linker, no special slots, SHA-256 of pages of 2^12 bytes.
  const head = [0xfade0c02, length - SUPERBLOB, 0x20400, 0x20002, hashes, DIRECTORY, 0, pages, limit, 0x2002000c];
  writeNumbers(result, directory, head);
  result.writeBigUInt64BE(textSize, directory + 72);
  // It is a main program.
  result.writeBigUInt64BE(1n, directory + 80);
  result.write(IDENTIFIER, directory + DIRECTORY, "latin1");
  for (let page = 0; page < pages; page++) {
    const content = result.subarray(page * PAGE, Math.min((page + 1) * PAGE, limit));
    createHash("sha256")
      .update(content)
      .digest()
      .copy(result, directory + hashes + page * HASH);
  }
}

function writeNumbers(result, start, numbers) {
  for (const [index, number] of numbers.entries()) result.writeUInt32BE(number, start + 4 * index);
}
