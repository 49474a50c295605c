import { lostLines } from "../../../command-support/journaling/lost-lines.ts";
import type { Session } from "../../../command-support/session/session.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import { type LimitAmount, limitText } from "../../coins/limit-amounts.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { addedBy, earlierAmount, type SentTransaction, sentSince } from "./sent-today.ts";

const DAY = 24 * 3_600_000;

/** A transaction that counts toward the sum of the day. */
interface OfDay {
  relayerId: string;
  amount: bigint;
  replaces?: { id: string; before: Transaction | undefined };
  most: readonly LimitAmount[];
}

/**
 * Compares the sum of the last 24 hours, with this transaction, with the limits for it. A replacement adds what it sends
 * more than the versions before it.
 * @returns a line for each limit that is exceeded
 * @throws RelayctlError usage without a journal
 */
export async function aboveDay(call: Call, session: Session, ofDay: OfDay): Promise<string[]> {
  const { relayerId, amount, replaces, most } = ofDay;
  if (most.length === 0 || amount === 0n) return [];
  const { sent, lost } = await sentToday(call, session);
  const added = moreThan(amount, replaces && sent.get(replaces.id), replaces?.before);
  if (added === 0n) return [];
  const lines = [...lost];
  for (const limit of most) {
    const sum = added + (await sumOf(call, session, [...sent.values()], { coin: limit.coin, relayerId }));
    if (sum > limit.amount) lines.push(sumLine(limit, added, sum));
  }
  return lines;
}

function moreThan(amount: bigint, own: SentTransaction | undefined, before: Transaction | undefined): bigint {
  const { earlier, most } = own ?? { earlier: earlierAmount(before), most: 0n };
  return addedBy({ earlier: most > earlier ? most : earlier, most: amount });
}

function sumLine({ coin, amount }: LimitAmount, added: bigint, sum: bigint): string {
  const [total, own, most] = [sum, added, amount].map((each) => limitText({ coin, amount: each }));
  return `${total} in 24 hours, of which this transaction adds ${own}, is above the limit of ${most} per day`;
}

/** What was sent in a day, as far as the journals know, and what they lost. */
interface SentToday {
  sent: ReadonlyMap<string, SentTransaction>;
  lost: readonly string[];
}

/** With `--state`, what the usual journal has counts as well: another folder begins no new day. */
async function sentToday(call: Call, session: Session): Promise<SentToday> {
  const journal = await session.journal();
  if (!journal) {
    const rule = "--max-per-day needs the journal, which is off; nothing was sent";
    throw usageError([{ where: `context ${session.name}`, rule }]);
  }
  const usualJournal = await session.usualJournal();
  try {
    const sent = new Map<string, SentTransaction>();
    const lost: string[] = [];
    for (const each of [journal, ...(usualJournal ? [usualJournal] : [])]) {
      lost.push(...(await lostLines(call, each, each === usualJournal)));
      for (const [id, transaction] of await sentSince(each, session.name, call.app.clock.now() - DAY))
        sent.set(id, transaction);
    }
    return { sent, lost };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    throw error.with({
      because: ["the sum of the day is unknown", ...(error.because.length > 0 ? error.because : ["nothing was sent"])],
    });
  }
}

async function sumOf(
  call: Call,
  session: Session,
  sent: readonly SentTransaction[],
  { coin, relayerId: own }: { coin: string; relayerId: string },
): Promise<bigint> {
  const known = new Map<string, boolean>([[own, true]]);
  let sum = 0n;
  for (const transaction of sent) {
    const { relayerId } = transaction;
    const isSame = known.get(relayerId) ?? (await hasCoin(call, session, transaction, coin));
    known.set(relayerId, isSame);
    if (isSame) sum += addedBy(transaction);
  }
  return sum;
}

/** The kinds of the coins that every network of their kind has. */
const KINDS: Readonly<Record<string, NetworkKind>> = { sol: "solana", xlm: "stellar", wei: "evm" };

/** Returns whether a transaction sent a coin. If its relayer or its coin cannot be read, it counts. */
async function hasCoin(
  call: Call,
  { client, reach }: Session,
  { relayerId, kind }: SentTransaction,
  coin: string,
): Promise<boolean> {
  if (kind !== (KINDS[coin] ?? "evm")) return false;
  if (KINDS[coin] || reach === "nothing") return true;
  try {
    const symbol = await symbolFor(call, (await client.relayers.get(relayerId)).data);
    return symbol === undefined || symbol.toLowerCase() === coin;
  } catch (error) {
    if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
    return true;
  }
}
