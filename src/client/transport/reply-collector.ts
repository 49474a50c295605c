import type { WireReply } from "../../contract/wire.ts";
import { TransportFailure } from "./transport.ts";

/** Header fields as the libraries return them: a repeated field is a list. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Collects one response from either library. An unacceptable response is refused as early as possible. */
export interface ReplyCollector {
  /** The status, once its line was read. */
  readonly status: number | undefined;
  head(status: number, headers: ReplyHeaders, certificateEnds?: WireReply["certificateEnds"]): void;
  data(chunk: Uint8Array): void;
  reply(): WireReply;
}

/** @param refuse called with the reason if the rest of the response is not needed */
export function createReplyCollector(maxBytes: number, refuse: (failure: TransportFailure) => void): ReplyCollector {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let status: number | undefined;
  let headers: Record<string, string> = {};
  let ends: Pick<WireReply, "certificateEnds"> = {};
  const fail = (reason: "encoding" | "too_large", message: string) => {
    // The caller may retry with a smaller page, and both responses must not be in memory.
    chunks.length = 0;
    refuse(new TransportFailure(reason, message, { sent: true, status }));
  };
  const failTooLarge = () => fail("too_large", `the response is larger than ${maxBytes / 2 ** 20} MiB`);
  return {
    get status() {
      return status;
    },
    head(code, received, certificateEnds) {
      status = code;
      if (certificateEnds) ends = { certificateEnds };
      headers = inLowerCase(received);
      if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
        fail("encoding", "the response is compressed, which was not requested");
      else if (Number(headers["content-length"]) > maxBytes) failTooLarge();
    },
    data(chunk) {
      size += chunk.length;
      if (size > maxBytes) failTooLarge();
      else chunks.push(chunk);
    },
    reply: () => ({ status: status ?? 0, headers, body: Buffer.concat(chunks), ...ends }),
  };
}

function inLowerCase(headers: ReplyHeaders): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const name of Object.keys(headers)) lower[name.toLowerCase()] = String(headers[name] ?? "");
  return lower;
}
