import type { App } from "../app.ts";
import type { ClientEvent } from "../client/client-context.ts";
import type { Say } from "../command-support/call.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import type { AnyCommand } from "../commands/command.ts";
import { firstNames, pluralize } from "../contract/decimal.ts";
import {
  CHECK_FIRST,
  type Failure,
  type HttpFacts,
  MAYBE_APPLIED,
  promisesNothing,
  RelayctlError,
  unsentError,
} from "../errors.ts";
import { ClosedPipe } from "../terminal/streams/output.ts";
import { requestMaySendWrites, requestSendsWrites } from "./request-flags.ts";

/** Failures of reads. Any other error before a write says so itself. */
const OF_READS: readonly Failure[] = ["auth", "not_found", "rejected", "rate_limited", "server", "network"];
const SAYS_NOTHING_SENT = /\bnothing was (?:sent|applied|changed)\b/;

/** Observes a command's requests, to report that nothing was sent, or what the service accepted. */
export function createObservedWrites(
  file: Pick<AnyCommand, "sends" | "alsoSends">,
  { dryRun, curl }: Pick<CommonFlags, "dryRun" | "curl">,
) {
  const { sends } = file;
  const hasToWrite = requestMaySendWrites(file) && !dryRun && !curl;
  let wasRead = false;
  let wasWritten = !requestSendsWrites(sends);
  const left: Left = { count: 0, accepted: [], open: [], looks: new Set() };
  let unsaid: unknown;
  return {
    /** @param look returns the command that shows all writes of the run, if they are recorded */
    hear(event: ClientEvent, look: () => string | undefined): void {
      if (event.type === "reply" && left.http) left.http.status ||= event.status;
      if (event.type === "accepted") {
        left.accepted.push(event);
        left.open = withoutLine(left.open, writeLine(event.method, event.path));
        left.looks.add(look() ?? "");
      }
      if (event.type !== "attempt") return;
      wasRead ||= event.method === "GET";
      wasWritten ||= event.writes;
      if (!event.writes) return;
      left.count++;
      const line = writeLine(event.method, event.target);
      left.open = [...(event.attempt > 1 ? withoutLine(left.open, line) : left.open), line];
      left.http = { status: 0, method: event.method, path: event.target };
    },
    /** Returns the app with a stderr that ends no command once a write has left. Before that, code 0 would be false. */
    keepingStderr(world: App): App {
      const write: App["stderr"]["write"] = (text) =>
        world.stderr.write(text).catch((error: unknown) => {
          if (left.count > 0) unsaid ??= error;
          else
            throw error instanceof ClosedPipe && hasToWrite
              ? unsentError("io", "the reader of stderr closed it")
              : error;
        });
      return Object.create(world, { stderr: { get: () => Object.create(world.stderr, { write: { value: write } }) } });
    },
    throwUnsaid(): void {
      if (unsaid !== undefined && !(unsaid instanceof ClosedPipe)) throw unsaid;
    },
    async sayWhereShown(say: Say): Promise<void> {
      for (const line of left.looks) if (line !== "") await say({ see: line });
    },
    withOutcome(error: unknown): unknown {
      // A command on this machine sends nothing anyway.
      if (sends === "nothing" && error instanceof RelayctlError && error.subject?.kind === "stopped") {
        const { failure, message, subject } = error;
        return new RelayctlError(failure, message.replace(/sent\.$/, "changed."), { subject, cause: error });
      }
      if (left.http) return addWritesTo(error, left);
      if (!wasRead || wasWritten || !(error instanceof RelayctlError) || !OF_READS.includes(error.failure))
        return error;
      const saysNothingSent = [error.message, ...error.because].some((line) => SAYS_NOTHING_SENT.test(line));
      return saysNothingSent ? error : error.with({ because: ["nothing was sent"] });
    },
  };
}

interface Left {
  /** How many left, each attempt among them. */
  count: number;
  http?: HttpFacts;
  accepted: (HttpFacts & { id: string })[];
  /** Those that no response accepted, as method and path. */
  open: readonly string[];
  /** The commands that show the recorded writes, by context. */
  looks: Set<string>;
}

function addWritesTo(error: unknown, left: Left): unknown {
  if (error instanceof ClosedPipe) return error;
  const isKnown = error instanceof RelayctlError;
  if (isKnown && error.failure !== "internal") return addAccepted(error, left);
  const isOpen = left.accepted.length === 0;
  const words = `${isOpen ? MAYBE_APPLIED : "applied, but the end cannot be shown: "}${isKnown ? error.message : bugText(error)}`;
  const broken = new RelayctlError("unknown", words, { applied: isOpen ? "unknown" : "yes" });
  return broken.with(acceptedFacts(left)).with({ because: [CHECK_FIRST] });
}

/** Whatever a command says: after an accepted write, not that nothing was applied. */
function addAccepted(error: RelayctlError, left: Left): RelayctlError {
  if (left.accepted.length === 0 || error.leavesNothing || (error.applied !== "no" && error.failure !== "io"))
    return error;
  const failure = promisesNothing(error.failure) ? "partial" : error.failure;
  return error.with({ ...acceptedFacts(left), failure });
}

function acceptedFacts({ count, http, accepted, open, looks }: Left): Parameters<RelayctlError["with"]>[0] {
  const [only] = accepted;
  if (!only) return http ? { http } : {};
  const [hint, ...more] = accepted.length + open.length === 1 ? [] : [...looks].filter((line) => line !== "");
  const { id, status, method, path } = only;
  const ids = firstNames([...new Set(accepted.map((each) => each.id))]);
  return {
    applied: "yes",
    because: [
      `the service accepted ${accepted.length} of ${pluralize(count, "request")}: ${ids}`,
      ...(open.length === 0 ? [] : [`not accepted, or unknown: ${firstNames(open)}`]),
    ],
    http: { status, method, path },
    subject: { kind: "accepted", id },
    hint,
    next: more.map((see) => ({ see })),
  };
}

function writeLine(method: string, path: string): string {
  return `${method} ${path}`;
}

/** Leaves out one of the lines that are the same: a relayer may have several payments. */
function withoutLine(lines: readonly string[], line: string): readonly string[] {
  const at = lines.indexOf(line);
  return at < 0 ? lines : lines.toSpliced(at, 1);
}

/** Returns the kind and position of a bug, since its message may contain anything. */
export function bugText(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const place = error instanceof Error ? /\/?([\w.-]+\.[jt]s:\d+):\d+/.exec(error.stack ?? "")?.[1] : undefined;
  return `a bug in relayctl: ${name}${place ? ` at ${place}` : ""}`;
}
