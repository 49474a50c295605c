import { SINCE, sinceFlag } from "../../config/since.ts";
import { operations } from "../../contract/operations.ts";
import type { Problems } from "../../contract/problems.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Applied } from "../../errors.ts";
import { appliedOf, type RecordedWrite } from "../../journal/journal.ts";
import { oneOf } from "../../nearest.ts";
import { historyItemRelayer } from "../../views/history/item.ts";
import type { CommandSyntax, ParsedFlags } from "../command.ts";

export type FilterFlags = ParsedFlags<typeof defineHistoryFilter>;

export interface Filter {
  /** Undefined for all services. */
  servers: readonly string[] | undefined;
  relayer: string | undefined;
  operation: string | undefined;
  applied: Applied | undefined;
  /** Milliseconds since 1970. */
  since: number | undefined;
}

/** The operations in a journal; `api` is an unknown request. */
export const RECORDED_OPERATIONS: readonly string[] = [
  ...Object.values(operations).flatMap(({ id, kind }) => (kind === "read" ? [] : [id])),
  "api",
];

const APPLIED: readonly Applied[] = ["yes", "no", "unknown"];

export function defineHistoryFilter(command: CommandSyntax) {
  return command
    .optionsGroup("Writes")
    .option("--relayer <id>", "Only writes to this relayer and its transactions")
    .option("--tx <id>", "Only writes to this transaction, by its ID or one of its hashes")
    .option("--operation <operation>", "Only this operation, e.g. relayers.update, or tx for all of that noun")
    .choice("--applied <outcome>", "Only writes with this outcome", APPLIED)
    .option(...SINCE);
}

export function historyFilter(flags: FilterFlags, problems: Problems, now: number): Omit<Filter, "servers"> {
  const { relayer, operation, applied } = flags;
  if (operation !== undefined && !RECORDED_OPERATIONS.some((known) => matchesOperation(operation, known)))
    problems.add("--operation", oneOf(operation, RECORDED_OPERATIONS), operation);
  for (const [flag, value] of Object.entries({ "--relayer": relayer, "--tx": flags.tx }))
    if (value === "") problems.add(flag, "is empty");
  const since = sinceFlag(problems, flags.since, now);
  return { relayer, operation, applied, since };
}

function matchesOperation(wanted: string, operation: string): boolean {
  return operation === wanted || operation.startsWith(`${wanted}.`);
}

export function matchesFilter(write: RecordedWrite, { servers, relayer, operation, applied, since }: Filter): boolean {
  const { intent } = write;
  return (
    (servers === undefined || servers.includes(intent.server)) &&
    (relayer === undefined || historyItemRelayer(write) === relayer) &&
    (operation === undefined || matchesOperation(operation, intent.operation)) &&
    (applied === undefined || appliedOf(write) === applied) &&
    (since === undefined || receivedTime(intent.time) >= since)
  );
}
