import type { AnyCommand, Ends, Sends } from "../../commands/command.ts";
import { EXIT_CODES } from "../../errors.ts";

/** What an exit code means for one command, in a few words. */
export interface ExitCode {
  code: number;
  words: string;
}

const LOCAL: Ends = { ok: "done", usage: "usage" };

const READ: Ends = {
  ...LOCAL,
  auth: "token",
  not_found: "no such context",
  rejected: "refused",
  rate_limited: "rate limit",
  server: "service failure",
  network: "network",
};

const WRITE: Ends = {
  ...READ,
  declined: "no consent",
  conflict: "not in this state",
  unknown: "unknown whether applied",
  mismatch: "applied differently",
};

/** What follows from the kind of a request (design 4 and 7). */
const WORDS: Record<Sends, Ends> = {
  nothing: LOCAL,
  read: READ,
  probe: READ,
  patch: { ...WRITE, ok: "applied or already so" },
  create: { ...WRITE, ok: "created", conflict: "id in use" },
  remove: { ...WRITE, ok: "gone", conflict: "still in use" },
  once: { ...WRITE, ok: "accepted" },
  anything: WRITE,
};

/** The exit codes that a command can give, but for those of every command: a bug, a full disk, a signal. */
export function exitCodesOf({ sends, operands = [], ends }: AnyCommand): ExitCode[] {
  const nouns = operands.flatMap(({ noun }) => noun ?? []);
  const missing: Ends = nouns.length > 0 ? { not_found: `no such ${nouns.join(" or ")}` } : {};
  const words: Ends = { ...WORDS[sends], ...missing, ...ends };
  return Object.entries({ ok: 0, ...EXIT_CODES }).flatMap(([end, code]) => {
    const told = words[end as keyof Ends];
    return told ? [{ code, words: told }] : [];
  });
}
