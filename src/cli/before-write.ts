import type { ClientEvent } from "../client/client-context.ts";
import type { AnyCommand } from "../commands/command.ts";
import { type Failure, MAYBE_APPLIED, RelayctlError } from "../errors.ts";
import { ClosedPipe } from "../terminal/streams/output.ts";
import { sendsWrites } from "./request-flags.ts";

/** Observes the requests of a command, to add to an error before the write that nothing was sent. */
export interface BeforeWrite {
  hear(event: ClientEvent): void;
  /**
   * Returns the error, with "nothing was sent" if the last request was a read before the write. A bug after the write has
   * left is an unknown outcome, with the ID that was accepted: only the service can refuse it.
   */
  withOutcome(error: unknown): unknown;
}

/** The ways in which a read can fail. Any other error before a write says so itself. */
const OF_READS: readonly Failure[] = ["auth", "not_found", "rejected", "rate_limited", "server", "network"];
const UNSENT = / Nothing was sent\.$/;
const SAYS_NOTHING_SENT = /\bnothing was (?:sent|applied|changed)\b/;

export function createBeforeWrite({ sends }: Pick<AnyCommand, "sends">): BeforeWrite {
  let wasRead = false;
  let wasWritten = !sendsWrites(sends);
  let left: Left | undefined;
  return {
    hear(event) {
      if (event.type === "reply" && left) left.status ||= event.status;
      if (event.type === "accepted" && left) left.accepted = event.id ?? "";
      if (event.type !== "attempt") return;
      wasRead ||= event.method === "GET";
      wasWritten ||= event.writes;
      if (event.writes) left = { status: 0, method: event.method, path: event.target };
    },
    withOutcome(error) {
      // A command on this machine sends nothing anyway.
      if (sends === "nothing" && error instanceof RelayctlError && UNSENT.test(error.message))
        return new RelayctlError(error.failure, error.message.replace(UNSENT, " Nothing was changed."), {
          cause: error,
        });
      if (left && !(error instanceof RelayctlError || error instanceof ClosedPipe)) return unknownBy(error, left);
      if (!wasRead || wasWritten || !(error instanceof RelayctlError) || !OF_READS.includes(error.failure))
        return error;
      const saysNothingSent = [error.message, ...error.because].some((line) => SAYS_NOTHING_SENT.test(line));
      return saysNothingSent ? error : error.with({ because: ["nothing was sent"] });
    },
  };
}

interface Left {
  status: number;
  method: string;
  path: string;
  /** The ID in its response, which may be empty; undefined without a response that accepts it. */
  accepted?: string;
}

function unknownBy(error: unknown, { accepted, ...http }: Left): RelayctlError {
  const words = bugText(error);
  const check = "check the outcome before you send the request again";
  if (accepted === undefined) return new RelayctlError("unknown", MAYBE_APPLIED + words, { because: [check], http });
  const id = accepted === "" ? "" : `, and its response has the ID ${accepted}`;
  return new RelayctlError("unknown", `the request was applied, but its end cannot be shown: ${words}`, {
    applied: "yes",
    because: [`the service accepted it${id}`, check],
    http: {
      ...http,
      ...(http.path.endsWith("/transactions") && accepted !== "" && { path: `${http.path}/${accepted}` }),
    },
  });
}

/** Returns what is known of a bug. Its message may contain anything, so only its kind and position are shown. */
export function bugText(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const place = error instanceof Error ? /\/?([\w.-]+\.[jt]s:\d+):\d+/.exec(error.stack ?? "")?.[1] : undefined;
  return `a bug in relayctl: ${name}${place ? ` at ${place}` : ""}`;
}
