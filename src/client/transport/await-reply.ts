import type { WireReply } from "../../contract/wire.ts";
import type { AttemptLimits } from "../exchange.ts";
import type { NetworkOptions } from "../network-options.ts";
import { transportFailure } from "./failure.ts";
import { createReplyCollector, type ReplyHeaders } from "./reply-collector.ts";

/** What is told of a request that is under way, by whichever library sends it. */
export interface ReplyEvents {
  /** It has a connected socket, and not a byte was written yet: until then nothing of it has left. */
  started(): void;
  head(status: number, headers: ReplyHeaders): void;
  data(chunk: Uint8Array): void;
  end(): void;
  failed(error: unknown): void;
}

/**
 * The reply to one request, or why there is none.
 * @param begin sends the request and gives the way to leave it: called when it failed or is not wanted any more, perhaps twice
 */
export function awaitReply(
  options: NetworkOptions,
  { signal, maxBytes, untilSent }: AttemptLimits,
  begin: (events: ReplyEvents) => () => void,
): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    let sent = false;
    let leave = () => {};
    const collector = createReplyCollector(maxBytes, failed);
    const giveUp = () => failed(undefined);
    function failed(error: unknown): void {
      signal.removeEventListener("abort", giveUp);
      reject(transportFailure(error, { options, signal, sent, status: collector.status }));
      leave();
    }
    if (signal.aborted) return failed(undefined);
    signal.addEventListener("abort", giveUp);
    const isSent = untilSent?.();
    leave = begin({
      started() {
        sent = true;
        isSent?.();
      },
      head: collector.head,
      data: collector.data,
      end() {
        signal.removeEventListener("abort", giveUp);
        resolve(collector.reply());
      },
      failed,
    });
  });
}
