import { usageError } from "../../errors.ts";
import type { StreamedInput } from "./output.ts";

/** The required part of a Node stream: `process.stdin` or a fake. */
export interface ReadableBytes extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean;
}

/** Creates the only access to stdin. @param options.refuseTerminal if the command would wait silently */
export function createInput(stream: ReadableBytes, options: { refuseTerminal?: boolean } = {}): StreamedInput {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    chunks: () => readChunks(stream),
    read: async (maxBytes) => {
      if (isTerminal && options.refuseTerminal) throw stdinProblem("is a terminal; specify a file, or pipe the input");
      return readAll(stream, maxBytes);
    },
  };
}

async function readAll(stream: ReadableBytes, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(stream)) {
    size += chunk.length;
    if (size > maxBytes) throw stdinProblem(`has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* readChunks(stream: ReadableBytes): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "an unknown fault";
    throw stdinProblem(`could not be read: ${code}`);
  }
}

function stdinProblem(rule: string): Error {
  return usageError([{ where: "stdin", rule }]);
}
