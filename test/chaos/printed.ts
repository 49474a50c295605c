import type { Verdict, VerdictWord } from "../../src/chain/verdict/verdict.ts";
import type { Transaction } from "../../src/contract/transaction/transaction.ts";
import type { Found } from "./examined.ts";
import type { Ran } from "./program.ts";

const WORDS = /^ *verdict:? (\w+): (.*)$/m;
const SEEN = /^ *chain: (0x[0-9a-f]{64}) was mined in block (\d+): /m;

/**
 * Returns the verdict that `tx get` printed; undefined if it printed none. A record that reads confirmed, and is shown
 * without a word about it, is one too.
 */
export function printedVerdict({ stdout, stderr, from, to }: Ran, relayerId: string): Found | undefined {
  const record = recordIn(stdout);
  if (record === undefined) return undefined;
  const [, word = "confirmed", why = "shown without a warning"] = WORDS.exec(stderr) ?? [];
  if (!WORDS.test(stderr) && (record.status !== "confirmed" || /\bwarning|note|not settled/.test(stderr))) {
    return undefined;
  }
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
  return { verdict, question: { relayerId, records: [record], now: 0 }, from, to };
}

/** Reads a record as a pipe gets it: a field on each line, its name before a tab. */
function recordIn(stdout: string): Transaction | undefined {
  const rows = stdout.split("\n").map((line) => line.split("\t"));
  const record = Object.fromEntries(rows.map(([name, value]) => [name, value === "" ? null : value]));
  return typeof record.id === "string" ? (record as unknown as Transaction) : undefined;
}
