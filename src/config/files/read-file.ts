import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { usageError } from "../../errors.ts";
import { fileError } from "./file-error.ts";

export interface FileWorld {
  /** Ends the reading of a file that has no content for a long time. */
  interrupt: AbortSignal;
  /** Opens a descriptor as a stream that waits without a thread, if it is a pipe or a terminal. */
  openWaiting(descriptor: number): WaitingStream | undefined;
}

/** A stream of bytes that can be abandoned. */
export interface WaitingStream extends AsyncIterable<Uint8Array> {
  destroy(): unknown;
}

/** Opens a pipe that may never have a writer. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads a pipe to its end. @param isListed refuses all but a regular file, and never waits @throws usage */
export async function readFile(
  path: string,
  maxBytes: number,
  world: FileWorld,
  isListed = false,
): Promise<Uint8Array> {
  try {
    // Before it is opened: that would wake the writer of a pipe.
    if (isListed) expectRegular(path);
    const descriptor = openSync(path, WITHOUT_WAITING);
    const whole = smallFile(descriptor, maxBytes);
    if (whole) return whole;
    const stream = world.openWaiting(descriptor) ?? createReadStream("", { fd: descriptor });
    const leave = () => void stream.destroy();
    if (world.interrupt.aborted) leave();
    world.interrupt.addEventListener("abort", leave);
    try {
      return await readUpTo(stream, path, maxBytes);
    } finally {
      world.interrupt.removeEventListener("abort", leave);
    }
  } catch (error) {
    throw fileError(path, "read", error);
  }
}

function expectRegular(path: string): void {
  if (statSync(path).isFile()) return;
  throw usageError([{ where: path, rule: "is not a regular file" }]);
}

/** The largest file that is read without a stream, which costs a tenth of Node's startup time. */
const SMALL = 2 ** 16;

/** Reads and closes a small regular file of known size; undefined for anything else. */
function smallFile(descriptor: number, maxBytes: number): Uint8Array | undefined {
  const facts = fstatSync(descriptor);
  if (!facts.isFile() || facts.size === 0 || facts.size > Math.min(SMALL, maxBytes)) return undefined;
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function readUpTo(stream: WaitingStream, path: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw usageError([{ where: path, rule: `is larger than ${maxBytes} bytes` }]);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
