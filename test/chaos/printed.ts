import type { Verdict, VerdictWord } from "../../src/chain/verdict/verdict.ts";
import type { Transaction } from "../../src/contract/transaction/transaction.ts";
import type { Found } from "./examined.ts";
import type { Attempt } from "./model/network.ts";
import type { Ran } from "./program.ts";

const WORDS = /^ *verdict:? (\w+): (.*)$/m;
/** Words that say that a record which reads confirmed may mean something else. */
const MEANINGS = /warning|note|·/;
const SEEN = /^ *chain: (0x[0-9a-f]{64}) was mined in block (\d+): /m;

/** Returns the verdict that `tx get` printed, including a record that reads confirmed, without further words. */
export function printedVerdict(
  { exitCode, stdout, stderr, from, to, head }: Ran,
  relayerId: string,
): Found | undefined {
  const record = recordIn(stdout);
  if (record === undefined) return undefined;
  const [, word = "confirmed", why = "shown without a warning"] = WORDS.exec(stderr) ?? [];
  const isPlain = record.status === "confirmed" && exitCode === 0 && !MEANINGS.test(stderr);
  if (!WORDS.test(stderr) && !isPlain) return undefined;
  const [, hash, block] = SEEN.exec(stderr) ?? [];
  // What is printed does not show how sure it is.
  const isSure = word === "confirmed";
  const verdict: Verdict = {
    verdict: word as VerdictWord,
    why,
    stage: "signed",
    missing: [],
    ...(hash !== undefined && { seen: { hash, block: BigInt(block ?? 0), to: null, value: 0n, data: "0x" } }),
    ...(!isSure && { isPresumed: true }),
    ...(/could not be checked/.test(stderr) && { isByRecord: true }),
  };
  return { verdict, question: { relayerId, records: [record], now: 0 }, from, to, head };
}

/** The exit code of a wait for each verdict; any other is 13. */
const EXITS: Partial<Record<VerdictWord, number>> = {
  confirmed: 0,
  cancel_too_late: 14,
  earlier_version: 14,
  foreign: 14,
  gone: 15,
  pending: 15,
};

/** Returns the verdicts that `tx wait -o json` printed, by the transaction. */
export function waitedVerdicts(ran: Ran, relayerId: string): Map<string, Found> {
  const results = (ran.stdout === "" ? [] : JSON.parse(ran.stdout)) as Record<string, unknown>[];
  const records = ran.attempts.flatMap(recordsOf);
  const found = new Map<string, Found>();
  for (const result of results) {
    const verdict = waitedVerdict(ran, { relayerId, result, records: records.filter(({ id }) => id === result.id) });
    if (verdict) found.set(String(result.id), verdict);
  }
  return found;
}

function waitedVerdict(
  { from, to, head }: Ran,
  { relayerId, result, records }: { relayerId: string; result: Record<string, unknown>; records: Transaction[] },
): Found | undefined {
  const [first, ...more] = records;
  if (typeof result.verdict !== "string" || !first) return undefined;
  const { verdict: word, why, hash, block, by_record: isByRecord } = result;
  const verdict: Verdict = {
    verdict: word as VerdictWord,
    why: String(why),
    stage: "signed",
    missing: [],
    ...(block !== null && {
      seen: { hash: String(hash), block: BigInt(Number(block)), to: null, value: 0n, data: "0x" },
    }),
    ...(word !== "confirmed" && { isPresumed: true }),
    ...(isByRecord === true && { isByRecord: true }),
  };
  return { verdict, question: { relayerId, records: [first, ...more], now: 0 }, from, to, head };
}

export function isExitOf({ verdict: { verdict } }: Found, exitCode: number | undefined): boolean {
  return exitCode === (EXITS[verdict] ?? 13);
}

/** The records that an attempt received, if it asked for any. */
function recordsOf({ method, target, status, received }: Attempt): Transaction[] {
  if (method !== "GET" || status !== 200 || !/\/transactions(?:\/[^/]+|\?.*)$/.test(target)) return [];
  const { data } = JSON.parse(new TextDecoder().decode(received)) as { data: Transaction | Transaction[] };
  return Array.isArray(data) ? data : [data];
}

/** Reads a record as a pipe gets it: a field on each line, its name before a tab. */
function recordIn(stdout: string): Transaction | undefined {
  const rows = stdout.split("\n").map((line) => line.split("\t"));
  const record = Object.fromEntries(rows.map(([name, value]) => [name, value === "" ? null : value]));
  return typeof record.id === "string" ? (record as unknown as Transaction) : undefined;
}
