import type { WireReply } from "../../contract/wire.ts";
import { transportFailure } from "./failure.ts";
import type { OpenSocket } from "./open-socket.ts";
import type { PageBuffers } from "./page-buffers.ts";
import { createResponseReading } from "./reading.ts";
import { createReplyCollector, type ReplyHeaders } from "./reply-collector.ts";
import { badResponseLine } from "./response-reader.ts";
import type { AttemptLimits, Confirmation, NetworkOptions } from "./transport.ts";
import type { Wire } from "./wire.ts";

export interface Shared {
  options: NetworkOptions;
  openSocket: OpenSocket;
  /** Whether a connection was closed by the other side, so that one in use may be closed before its next write. */
  breaks: boolean;
  pages: PageBuffers;
}

export interface ReplyEvents {
  /** Called when the request has a connected socket, before its first byte is written: until then nothing was sent. */
  started(wire: Wire): void;
  head(status: number, headers: ReplyHeaders): void;
  data(chunk: Uint8Array): void;
  end(): void;
  failed(error: unknown): void;
}

export interface RequestInProgress {
  /** Abandons the request: it failed or is no longer needed. May be called twice. */
  leave(): void;
  /** Resolves when all responses due on the connection have arrived, or to the reason why that is unknown. */
  settled(confirmation: Confirmation): Promise<string | undefined>;
  done(): void;
}

export function awaitReply(
  { options, pages }: Shared,
  { signal, maxBytes, isOwn, confirmation, untilSent }: AttemptLimits,
  begin: (events: ReplyEvents) => RequestInProgress,
): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    let wire: Wire | undefined;
    let requestInProgress: RequestInProgress | undefined;
    const collector = createReplyCollector(maxBytes, pages, failed);
    const reading = createResponseReading({
      keeps: confirmation !== undefined,
      refuse: () => failed(badResponseLine()),
    });
    const giveUp = () => failed(undefined);

    function failed(error: unknown): void {
      signal.removeEventListener("abort", giveUp);
      reject(transportFailure(error, { options, signal, sent: wire !== undefined, status: collector.status() }));
      requestInProgress?.leave();
    }

    function take(reply: WireReply): void {
      const isForeign = isOwn?.(reply) === false;
      signal.removeEventListener("abort", giveUp);
      if (isForeign) wire?.end();
      else wire?.rest();
      resolve(reply);
      requestInProgress?.done();
    }

    async function confirm(reply: WireReply, confirmation: Confirmation): Promise<void> {
      const found = () => wire && reading.doubt(reply.status, wire);
      const doubt = found() ?? (await requestInProgress?.settled(confirmation)) ?? found();
      take(doubt === undefined ? reply : { ...reply, doubt });
    }

    if (signal.aborted) return failed(undefined);
    signal.addEventListener("abort", giveUp);
    const isSent = untilSent?.();
    requestInProgress = begin({
      started(given) {
        wire = given;
        wire.expect(reading);
        isSent?.();
      },
      head: collector.head,
      data: collector.data,
      end() {
        const reply = withCertificateEnds(collector.reply(), wire);
        try {
          if (confirmation?.isNeeded(reply)) confirm(reply, confirmation).catch(failed);
          else take(reply);
        } catch (error) {
          failed(error);
        }
      },
      failed,
    });
  });
}

function withCertificateEnds(reply: WireReply, wire: Wire | undefined): WireReply {
  const certificateEnds = wire?.certificateEnds;
  return certificateEnds ? { ...reply, certificateEnds } : reply;
}
