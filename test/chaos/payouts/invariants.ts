import { pays, statesOf } from "../invariants/truth.ts";
import type { Attempt } from "../model/network.ts";
import type { ModelWorld } from "../model/world.ts";
import type { Ran } from "../program.ts";
import { contentOf, type GivenFile } from "./rows.ts";
import { appliedBy, appliedRows, intended, type Paid, sendsOf, wantedBy } from "./truth.ts";

export interface PrintedRow {
  row: number;
  to: string;
  value: string;
  state: string;
  transaction_id: string | null;
  why: string | null;
}

export function printedRows({ stdout }: Ran): readonly PrintedRow[] | undefined {
  return stdout.trim() === "" ? undefined : (JSON.parse(stdout) as PrintedRow[]);
}

/** A late record may be another's, and the node no longer has the state that shows it. */
const LACKS_STATE = /is from much later, and the chain could not be asked .* \(code: -32000\)/;

const PROMISES_NOTHING = [2, 3, 4, 5, 6, 7, 8, 9, 10];
const ENDS_OPEN = [11, 12, 15];
const PAID = ["sent", "confirmed"];
const SENT = ["sent", "confirmed", "failed", "canceled"];

/** Returns what one run did wrong by itself. */
export function runFaults(world: ModelWorld, file: GivenFile, ran: Ran, foreign: ReadonlySet<string>): string[] {
  const { argv, exitCode, isKilled, stderr } = ran;
  const sends = sendsOf([ran]);
  const applied = sends.filter(({ attempt }) => attempt.applied);
  const unsafe = exitCode !== undefined && PROMISES_NOTHING.includes(exitCode) && applied.length > 0;
  const found = [
    ...(!isKilled && exitCode === undefined ? ["hangs"] : []),
    ...(exitCode === 1 ? [`a bug: ${stderr}`] : []),
    ...(unsafe ? [`exit ${exitCode}, but ${applied.length} payments were sent: ${stderr}`] : []),
    ...(sends.some(({ attempt, paid }) => attempt.hasLeft && !isIntended(ran, attempt, paid))
      ? ["sent before its intent was recorded"]
      : []),
    ...(isKilled ? [] : printedFaults(world, file, ran, foreign)),
  ];
  return found.map((words) => `${words}: ${argv.join(" ")}`);
}

function isIntended({ entries, attempts }: Ran, attempt: Attempt, paid: Paid): boolean {
  const before = attempts.indexOf(attempt);
  return entries.some(({ entry, attempts: made }) => {
    const recorded = entry.type === "intent" && made <= before ? intended(entry)?.paid : undefined;
    return recorded?.content === paid.content && recorded.gas === paid.gas;
  });
}

function printedFaults(world: ModelWorld, file: GivenFile, ran: Ran, foreign: ReadonlySet<string>): string[] {
  const { exitCode = 0 } = ran;
  const rows = printedRows(ran);
  if (!rows) return exitCode === 0 ? ["exit 0 without data"] : [];
  const ids = rows.flatMap(({ transaction_id: id }) => id ?? []);
  const isUnknown = rows.some(({ state }) => state === "unknown");
  const faults = [
    [rows.length !== file.rows.length, `${rows.length} rows printed of ${file.rows.length}`],
    [rows.reduce((sum, { value }) => sum + BigInt(value), 0n) !== file.sum, "another sum printed"],
    [new Set(ids).size < ids.length, "one transaction printed for two rows"],
    [exitCode === 0 && rows.some(({ state }) => !PAID.includes(state)), "exit 0 with rows that are not sent"],
    [isUnknown && !ENDS_OPEN.includes(exitCode) && exitCode < 128, `exit ${exitCode} with unknown rows`],
  ] as const;
  const sent = appliedRows([ran], world.disk.entries);
  return [
    ...faults.flatMap(([isFault, words]) => (isFault ? [words] : [])),
    ...rows.flatMap((printed) => rowFaults(world, file, ran, { printed, foreign, sent })),
  ];
}

interface Judged {
  printed: PrintedRow;
  foreign: ReadonlySet<string>;
  /** The rows that the run sent itself. */
  sent: ReadonlySet<number>;
}

function rowFaults(world: ModelWorld, file: GivenFile, ran: Ran, { printed, foreign, sent }: Judged): string[] {
  const { row, to, value, state, transaction_id: id } = printed;
  const given = file.rows[row - 1];
  if (!given || given.to !== to || String(given.value) !== value) return [`row ${row} is another one`];
  if (state === "unknown") return [];
  if (!SENT.includes(state)) return sent.has(row) ? [`row ${row} is ${state}, but was sent`] : [];
  if (id !== null && foreign.has(id) && !isForgetful(world))
    return [`row ${row} has the transaction of another client`];
  const stored = world.worker.all.find((each) => each.id === id);
  const first = stored?.versions[0];
  if (!stored || !first || contentOf({ ...first, to: String(first.to) }) !== contentOf(given))
    return [`row ${row} is ${state}, but the service never had it`];
  if (state !== "confirmed") return [];
  const isPaid = statesOf(world, stored, ran.from, ran.to).some((mined) => pays(stored, mined));
  return isPaid ? [] : [`row ${row} is confirmed, but the chain does not have it`];
}

/** Returns what runs of one file did wrong together. */
export function togetherFaults(file: GivenFile, rans: readonly Ran[]): string[] {
  const wanted = wantedBy(file);
  const twice = [...appliedBy(rans)].filter(([content, count]) => count > (wanted.get(content) ?? 0));
  const open = new Set<string>();
  const again = new Set<string>();
  for (const { attempt, paid } of sendsOf(rans)) {
    const body = `${paid.content} ${paid.gas}`;
    if (attempt.hasLeft && open.has(body)) again.add(body);
    if (attempt.hasLeft && attempt.status === undefined) open.add(body);
  }
  return [
    ...twice.map(([content, count]) => `paid ${count} times, ${wanted.get(content) ?? 0} wanted: ${content}`),
    ...[...again].map((body) => `sent again with the gas limit of an unknown one: ${body}`),
  ];
}

/** Whether the service has lost or deleted records, so that not everything can be found. */
function isForgetful({ worker }: ModelWorld): boolean {
  return worker.records.size < worker.all.length;
}

/** Returns what is left open at the end, when nothing is broken any more, although it could be known. */
export function endFaults(
  world: ModelWorld,
  file: GivenFile,
  { rans, copies, last }: { rans: readonly Ran[]; copies: ReadonlySet<string>; last: Ran },
): string[] {
  const rows = printedRows(last);
  if (!rows) return [`the last run printed nothing, exit ${last.exitCode}: ${last.stderr}`];
  const applied = appliedRows(rans, world.disk.entries);
  const isForgotten = isForgetful(world);
  const { isAhead, isSetRight } = world.deceptions;
  // By such a clock, a record may belong to an earlier payment (decision 133).
  const isMistrusted = isAhead || isSetRight;
  return rows.flatMap(({ row, state, why }) => {
    if (SENT.includes(state)) return [];
    const given = file.rows[row - 1];
    const isCopied = given !== undefined && copies.has(contentOf(given));
    if (
      state === "unknown" &&
      applied.has(row) &&
      (isForgotten || isCopied || isMistrusted || LACKS_STATE.test(why ?? ""))
    )
      return [];
    return [`row ${row} of ${file.rows.length} is ${state} at the end, applied: ${applied.has(row)}`];
  });
}
