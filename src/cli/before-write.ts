import type { ClientEvent } from "../client/client-context.ts";
import type { AnyCommand } from "../commands/command.ts";
import { type Failure, RelayctlError } from "../errors.ts";
import { sendsWrites } from "./request-flags.ts";

/** Observes the requests of a command, to add to an error before the write that nothing was sent. */
export interface BeforeWrite {
  hear(event: ClientEvent): void;
  /** Returns the error, with "nothing was sent" if the last request was a read before the write. */
  withOutcome(error: unknown): unknown;
}

/** The ways in which a read can fail. Any other error before a write says so itself. */
const OF_READS: readonly Failure[] = ["auth", "not_found", "rejected", "rate_limited", "server", "network"];
const SAYS_NOTHING_SENT = /\bnothing was (?:sent|applied|changed)\b/;

export function createBeforeWrite({ sends }: Pick<AnyCommand, "sends">): BeforeWrite {
  let wasRead = false;
  let wasWritten = !sendsWrites(sends);
  return {
    hear(event) {
      if (event.type !== "attempt") return;
      wasRead ||= event.method === "GET";
      wasWritten ||= event.writes;
    },
    withOutcome(error) {
      if (!wasRead || wasWritten || !(error instanceof RelayctlError) || !OF_READS.includes(error.failure))
        return error;
      const saysNothingSent = [error.message, ...error.because].some((line) => SAYS_NOTHING_SENT.test(line));
      return saysNothingSent ? error : error.with({ because: ["nothing was sent"] });
    },
  };
}
