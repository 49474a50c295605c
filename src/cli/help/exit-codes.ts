import type { AnyCommand, Ends, Sends } from "../../commands/command.ts";
import { EXIT_CODES } from "../../errors.ts";

export interface ExitCode {
  code: number;
  words: string;
}

const LOCAL: Ends = { ok: "done", usage: "usage error" };
const JOURNAL: Ends = { ...LOCAL, not_found: "context not found" };

const READ: Ends = {
  ...LOCAL,
  auth: "authentication error",
  not_found: "context not found",
  rejected: "rejected",
  rate_limited: "rate limited",
  server: "service error",
  network: "network error",
};

const WRITE: Ends = {
  ...READ,
  declined: "not confirmed",
  conflict: "conflict with the current state",
  unknown: "unknown whether applied",
  mismatch: "result differs from the request",
};

/** The exit codes that follow from the kind of request (promises 4 and 7). */
const WORDS: Record<Sends, Ends> = {
  nothing: LOCAL,
  journal: JOURNAL,
  read: READ,
  probe: READ,
  patch: { ...WRITE, ok: "applied, or already set" },
  create: { ...WRITE, ok: "created", conflict: "ID in use" },
  remove: { ...WRITE, ok: "deleted", conflict: "still in use" },
  once: { ...WRITE, ok: "accepted" },
  anything: WRITE,
  deliveries: { ...LOCAL, network: "receiver not reached" },
};

/** Returns the exit codes of a command, without the codes that all commands share: a bug, a full disk, a signal. */
export function exitCodesOf({ sends, args = [], ends, contexts }: AnyCommand): ExitCode[] {
  const nouns = args.flatMap(({ noun }) => noun ?? []);
  const missing: Ends = nouns.length > 0 ? { not_found: `${nouns.join(" or ")} not found` } : {};
  const several: Ends = contexts ? { partial: "some contexts failed" } : {};
  const words: Ends = { ...WORDS[sends], ...missing, ...several, ...ends };
  return Object.entries({ ok: 0, ...EXIT_CODES }).flatMap(([end, code]) => {
    const meaning = words[end as keyof Ends];
    return meaning ? [{ code, words: meaning }] : [];
  });
}
