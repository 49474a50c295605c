import type { WireReply } from "../../contract/wire.ts";
import type { PageBuffers } from "./page-buffers.ts";
import { TransportFailure } from "./transport.ts";

/** Header fields as the libraries return them: a repeated field is a list. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A smaller body gets memory of exactly its size, which is not reused. */
const SMALLEST_PAGE = 2 ** 16;
const EMPTY = Buffer.alloc(0);

/** @param pages memory for large bodies @param refuse called with the reason if the rest is not needed */
export function createReplyCollector(
  maxBytes: number,
  pages: PageBuffers,
  refuse: (failure: TransportFailure) => void,
) {
  const received = createBody(maxBytes, pages);
  let status: number | undefined;
  let headers: Record<string, string> = {};
  const fail = (reason: "encoding" | "too_large", message: string) => {
    // The caller may retry with a smaller page, and both responses must not be in memory.
    received.forget();
    refuse(new TransportFailure(reason, message, { sent: true, status }));
  };
  const failTooLarge = () => fail("too_large", `the response is larger than ${maxBytes / 2 ** 20} MiB`);
  return {
    /** A getter would be a hidden class for each response, which V8 keeps for long. */
    status: () => status,
    head(code: number, fields: ReplyHeaders) {
      status = code;
      headers = inLowerCase(fields);
      const length = Number(headers["content-length"]);
      if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
        fail("encoding", "the response is compressed, which was not requested");
      else if (length > maxBytes) failTooLarge();
      else if (length > 0) received.makeRoom(length);
    },
    data(chunk: Uint8Array) {
      if (!received.add(chunk)) failTooLarge();
    },
    reply: () => ({ status: status ?? 0, headers, ...received.take() }),
  };
}

function createBody(maxBytes: number, pages: PageBuffers) {
  /** What preceded `page`, if the length of the body is unknown. */
  let full: { page: Buffer; used: number }[] = [];
  let page: Buffer = EMPTY;
  let used = 0;
  let size = 0;
  const memoryFor = (bytes: number) => (bytes < SMALLEST_PAGE ? Buffer.allocUnsafe(bytes) : pages.take(bytes));

  /** Adds as much memory as there is, without copying: a body that turns out too large needs no more than its limit. */
  function makeRoom(bytes: number): void {
    if (used > 0) full.push({ page, used });
    page = memoryFor(Math.min(maxBytes - size, Math.max(bytes, size)));
    used = 0;
  }

  function join(): void {
    const joined = memoryFor(size);
    let at = 0;
    for (const part of [...full, { page, used }]) {
      at += part.page.copy(joined, at, 0, part.used);
      if (part.page.length >= SMALLEST_PAGE) pages.give(part.page);
    }
    [full, page, used] = [[], joined, size];
  }

  return {
    makeRoom,
    forget() {
      [full, page, used, size] = [[], EMPTY, 0, 0];
    },
    /** Returns whether the chunk was within the limit. */
    add(chunk: Uint8Array): boolean {
      if (size + chunk.length > maxBytes) return false;
      if (used + chunk.length > page.length) makeRoom(chunk.length);
      page.set(chunk, used);
      used += chunk.length;
      size += chunk.length;
      pages.copied(chunk.length);
      return true;
    },
    take() {
      if (full.length > 0) join();
      return bodyIn(page, size, pages);
    },
  };
}

/** Returns a body of this size: in separate memory if it is small, so that it never holds a whole page. */
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
