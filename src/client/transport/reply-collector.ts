import type { WireReply } from "../../contract/wire.ts";
import type { PageBuffers } from "./page-buffers.ts";
import { TransportFailure } from "./transport.ts";

/** Header fields as the libraries return them: a repeated field is a list. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Collects one response from any reader. An unacceptable response is refused as early as possible. */
export interface ReplyCollector {
  /** The status, once its line was read. */
  readonly status: number | undefined;
  head(status: number, headers: ReplyHeaders): void;
  /** Copies the chunk. */
  data(chunk: Uint8Array): void;
  reply(): WireReply;
}

/** A body that is smaller gets memory of exactly its size, which is not used again. */
const SMALLEST_PAGE = 2 ** 16;
const EMPTY = Buffer.alloc(0);

/**
 * @param pages memory for large bodies
 * @param refuse called with the reason if the rest of the response is not needed
 */
export function createReplyCollector(
  maxBytes: number,
  pages: PageBuffers,
  refuse: (failure: TransportFailure) => void,
): ReplyCollector {
  let page: Buffer = EMPTY;
  let size = 0;
  let status: number | undefined;
  let headers: Record<string, string> = {};
  const fail = (reason: "encoding" | "too_large", message: string) => {
    // The caller may retry with a smaller page, and both responses must not be in memory.
    [page, size] = [EMPTY, 0];
    refuse(new TransportFailure(reason, message, { sent: true, status }));
  };
  const failTooLarge = () => fail("too_large", `the response is larger than ${maxBytes / 2 ** 20} MiB`);

  function makeRoom(bytes: number): void {
    if (bytes <= page.length) return;
    const larger = bytes < SMALLEST_PAGE ? Buffer.allocUnsafe(bytes) : pages.take(bytes);
    larger.set(page.subarray(0, size));
    if (page.length >= SMALLEST_PAGE) pages.give(page);
    page = larger;
  }

  return {
    get status() {
      return status;
    },
    head(code, received) {
      status = code;
      headers = inLowerCase(received);
      const length = Number(headers["content-length"]);
      if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
        fail("encoding", "the response is compressed, which was not requested");
      else if (length > maxBytes) failTooLarge();
      else if (length > 0) makeRoom(length);
    },
    data(chunk) {
      if (size + chunk.length > maxBytes) return failTooLarge();
      if (size + chunk.length > page.length) makeRoom(Math.min(maxBytes, 2 * size + chunk.length));
      page.set(chunk, size);
      size += chunk.length;
    },
    reply: () => ({ status: status ?? 0, headers, ...bodyIn(page, size, pages) }),
  };
}

/** Returns a body of this size: in memory of its own if it is small, so that it never holds a whole page. */
function bodyIn(page: Buffer, size: number, pages: PageBuffers): Pick<WireReply, "body" | "release"> {
  if (page.length < SMALLEST_PAGE) return { body: page.subarray(0, size) };
  if (size < SMALLEST_PAGE) {
    const body = Buffer.from(page.subarray(0, size));
    pages.give(page);
    return { body };
  }
  let held: Buffer | undefined = page;
  return {
    body: page.subarray(0, size),
    release() {
      if (held) pages.give(held);
      held = undefined;
    },
  };
}

function inLowerCase(headers: ReplyHeaders): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const name of Object.keys(headers)) lower[name.toLowerCase()] = String(headers[name] ?? "");
  return lower;
}
