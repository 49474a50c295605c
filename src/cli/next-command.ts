import { PaginationEnd } from "../client/pagination/pagination-error.ts";
import { type CommonFlags, commonTargetFlags } from "../command-support/common-flags.ts";
import { repeatedCommand, withoutConsent, withoutFlag } from "../command-support/repeated-command.ts";
import { isContextList } from "../config/contexts.ts";
import { RelayctlError } from "../errors.ts";
import { commandLine, type Shell } from "../shell/shell-words.ts";

/** Returns the command to run after a failure without a hint (promises 1): of several, that which ended the run. */
export async function nextCommand(
  failed: RelayctlError,
  argv: readonly string[],
  common: CommonFlags,
  shell: Shell,
): Promise<string | undefined> {
  const { repeat } = failed;
  if (repeat) return repeatedCommand(repeat.argv, repeat.added, shell);
  const target = commonTargetFlags(common);
  const read = (words: readonly string[] | undefined) => lineToRead(words, argv, target);
  const { cause } = failed;
  const error = cause instanceof RelayctlError && cause.failure !== "internal" ? cause : failed;
  switch (error.failure) {
    case "declined":
      return proposeLine(error, argv, { shell, common });
    case "auth":
      return commandLine(...target, "auth", "status");
    case "not_found":
      return lookUp(error) && (read(lookUp(error)) ?? read(["auth", "status"]));
    case "conflict":
    case "io":
    case "mismatch":
      return read(findReadCommand(error));
    case "unknown":
      return read(findReadCommand(error)) ?? read(lookUp(error));
    case "rate_limited":
      return repeatedCommand(withoutConsent(argv), [], shell);
    case "rejected":
      return (error.subject?.kind === "missing" ? read(lookUp(error)) : undefined) ?? dryRunLine(error, argv, shell);
    case "server":
      return shorterList(error, target) ?? dryRunLine(error, argv, shell) ?? read(["server", "ready"]);
    case "network":
      return shorterList(error, target) ?? dryRunLine(error, argv, shell) ?? read(["auth", "status"]);
    case "internal":
      return dryRunLine(error, argv, shell) ?? repeatedCommand(withoutConsent(argv), ["--verbose"], shell);
    default:
      return undefined;
  }
}

/** Returns the command for the rest of an interrupted run, unless it has one: stdin would begin again. */
export function nextCommandLines({ following, continues }: RelayctlError, argv: readonly string[], shell: Shell) {
  if (
    continues !== "again" ||
    argv.includes("-") ||
    following.some((line) => typeof line === "object" && "continue" in line)
  )
    return [];
  return [{ continue: repeatedCommand(withoutConsent(argv), [], shell) }];
}

/** Commands with several requests, or not for programs, can't be proposed. */
const NOT_PROPOSED = [
  "approve",
  "guard",
  "apply",
  "undo",
  "doctor",
  "freeze",
  "unstick",
  "send-many",
  "settle",
  "mcp",
  "topup",
  "cancel-pending",
  "edit",
  "--raise-cap",
  "--until",
  "--where",
  "--all",
];

function proposeLine(
  { subject }: RelayctlError,
  argv: readonly string[],
  { shell, common: { context = "" } }: { shell: Shell; common: CommonFlags },
): string | undefined {
  if ((subject?.kind !== "read_only" && subject?.kind !== "unsigned") || isContextList(context)) return undefined;
  // A proposal has one request, so the command's requests are proposed one by one.
  if (subject.isOneOfMany || argv.some((word) => NOT_PROPOSED.includes(word)))
    return subject.kind === "unsigned" ? "relayctl propose --help" : undefined;
  const propose = subject.kind === "unsigned" ? "propose --out proposal.json --" : "propose --";
  // A proposal is sent at most once by its ID, without --once.
  const line = repeatedCommand(withoutFlag(withoutConsent(argv), "--once", true), [], shell);
  return line.replace("relayctl", `relayctl ${propose}`);
}

function shorterList({ cause }: RelayctlError, target: readonly string[]): string | undefined {
  if (!(cause instanceof PaginationEnd) || cause.reason === "moving") return undefined;
  return commandLine(...target, ...cause.command, "--limit", "1000");
}

/** Returns the command that shows a failed write, instead of resending it; undefined for a read. */
function dryRunLine({ http }: RelayctlError, argv: readonly string[], shell: Shell): string | undefined {
  return http && http.isRead !== true ? repeatedCommand(withoutConsent(argv), ["--dry-run"], shell) : undefined;
}

/** Returns a command that reads, unless that command failed. */
function lineToRead(words: readonly string[] | undefined, argv: readonly string[], target: readonly string[]) {
  if (!words || (words[0] === "auth" && argv.includes("--demo"))) return undefined;
  const isFailed = ` ${argv.join(" ")} -`.includes(` ${words.join(" ")} -`);
  return isFailed ? undefined : commandLine(...target, ...words);
}

function lookUp({ http, subject }: RelayctlError): readonly string[] | undefined {
  const path = http?.path ?? "";
  if (subject?.kind === "other_relayer") return ["tx", "get", subject.relayer, subject.transaction];
  const missing = subject?.kind === "missing" ? subject.noun : undefined;
  const sender = /^\/api\/v1\/relayers\/([^/?]+)\/transactions\//.exec(path)?.[1];
  if (sender !== undefined && !missing) return ["tx", "list", decodeURIComponent(sender)];
  if (path.startsWith("/api/v1/metrics/")) return ["server", "metrics"];
  const noun = missing ?? COLLECTION.exec(path)?.[1];
  return noun === undefined ? undefined : [noun, "list"];
}

const COLLECTION = /^\/api\/v1\/(relayers|notifications|signers|networks|plugins)\b/;

/** Returns the command for a state that blocks the request: resume for a paused relayer, otherwise a read. */
function findReadCommand({ http, subject }: RelayctlError): readonly string[] | undefined {
  const [, path, relayer] = /^\/api\/v1(\/relayers\/([^/?]+)[^?]*)/.exec(http?.path ?? "") ?? [];
  if (path === undefined || relayer === undefined) return undefined;
  const id = decodeURIComponent(relayer);
  if (subject?.kind === "paused") return ["relayers", "resume", id];
  if (subject?.kind === "disabled") return ["relayers", "status", id];
  if (subject?.kind === "has_transactions") return ["tx", "list", id];
  const sent = subject?.kind === "accepted" && path.endsWith("/transactions") ? subject.id : undefined;
  const transaction = sent ?? /\/transactions\/([^/?]+)$/.exec(path)?.[1];
  return transaction === undefined || transaction === "pending"
    ? ["api", "GET", path]
    : ["tx", "get", id, decodeURIComponent(transaction)];
}
