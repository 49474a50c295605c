import type { Output } from "../../src/terminal/streams.ts";

/** A stream that keeps what is written. `redact` is what the real one does to every text. */
export interface MemoryOutput extends Output {
  text(): string;
  bytes(): Buffer;
}

export function memoryOutput(options: {
  terminal?: boolean;
  columns?: number;
  redact: (text: string) => string;
}): MemoryOutput {
  const chunks: Buffer[] = [];
  const keep = async (chunk: string | Uint8Array) => void chunks.push(Buffer.from(chunk as Uint8Array));
  return {
    isTerminal: options.terminal ?? false,
    columns: options.columns ?? 80,
    write: (chunk) => keep(redacted(chunk, options.redact)),
    reveal: keep,
    text: () => Buffer.concat(chunks).toString(),
    bytes: () => Buffer.concat(chunks),
  };
}

/** As `createOutput` does it: bytes without a secret in them stay as they are. */
function redacted(chunk: string | Uint8Array, redact: (text: string) => string): string | Uint8Array {
  if (typeof chunk === "string") return redact(chunk);
  const text = new TextDecoder().decode(chunk);
  const safe = redact(text);
  return safe === text ? chunk : safe;
}
