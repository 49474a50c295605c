import { formatAmount, wireAmount } from "../../contract/amount.ts";
import { currencyOf } from "../../contract/currency.ts";
import type { JsonValue } from "../../contract/json.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isFinal, isPending, statusOf } from "../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { STATUS_TIMEOUT } from "../../timing.ts";
import type { Call } from "../command.ts";
import type { Source } from "./state.ts";

export interface Newest {
  items: readonly Transaction[];
  /** Whether the relayer has no others. */
  isAll: boolean;
}

const PAGE = 100;

export async function readNewest(session: Session, relayerId: string): Promise<Newest> {
  const client = session.inBulk({ retries: 0 });
  for await (const { items, total = items.length } of client.tx.list(relayerId, { page: 1, perPage: PAGE }))
    return { items, isAll: items.length < PAGE && total <= items.length };
  return { items: [], isAll: true };
}

const HOUR = 3_600_000;
const PARTS = 8;

/** Returns how many transactions were created in each eighth of the last hour, oldest first. */
export function countHour({ items }: Newest, now: number): number[] {
  const counts = Array.from({ length: PARTS }, () => 0);
  for (const { created_at } of items) {
    const part = Math.floor(((receivedTime(created_at) - now + HOUR) * PARTS) / HOUR);
    if (part >= 0 && part < PARTS) counts[part] = (counts[part] ?? 0) + 1;
  }
  return counts;
}

/** Returns when the oldest pending transaction was created; undefined if none is pending, or an older page may have one. */
export function oldestIn({ items, isAll }: Newest): string | undefined {
  return isAll ? (items.filter(isPending).at(-1)?.created_at ?? undefined) : undefined;
}

/** Returns a line for each transaction that has ended since it was last seen. */
export function endedSince(
  before: ReadonlyMap<string, string> | undefined,
  { items }: Newest,
  { relayer, symbol }: { relayer: Relayer; symbol: string | undefined },
): string[] {
  if (!before) return [];
  const ended = items.filter((item) => isFinal(statusOf(item)) && before.get(item.id) !== statusOf(item));
  return [...ended].reverse().map((item) => {
    const value = wireAmount(item.value);
    const amount = value === undefined ? "" : `, ${formatAmount(value, currencyOf(networkKind(relayer), symbol))}`;
    const nonce = wireAmount(item.nonce as JsonValue);
    const name = nonce === undefined ? item.id : `nonce ${nonce}`;
    return `${relayer.id}  ${name} ${statusOf(item)}${amount}`;
  });
}

/** Returns the pending transactions in the order of their nonces, then the others, newest first. */
export function queueFirst({ items }: Newest): Transaction[] {
  return [...items.filter(isPending).reverse(), ...items.filter((item) => !isPending(item))];
}

export interface FleetReading {
  call: Call;
  session: Session;
  ids: readonly string[] | undefined;
  /** Milliseconds between two reads of the list. */
  every: number;
  inView(): readonly string[];
  /** Called with all that is known after each read, and what happened since the one before. */
  read(source: Source, events: readonly string[]): void;
  /** Called with what would be printed on stderr. */
  noted(text: string): void;
  /** Resolves when the screen is there: nothing is read while a command has the terminal. */
  whenShown(): Promise<void>;
  ended: AbortSignal;
}

/** Returns the result of a read; undefined after a failure that may pass, which is reported. */
export async function unlessPassing<T>(
  read: () => Promise<T>,
  failed: (error: RelayctlError) => void,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    failed(error);
    return undefined;
  }
}

export function quietReading(reading: FleetReading): FleetReading {
  const { call, session, noted } = reading;
  const client = session.briefly(STATUS_TIMEOUT, {
    report(event) {
      if (event.type === "note") noted(event.text);
    },
  });
  const quiet = { ...session, client, inBulk: () => client };
  const say = async (line: string) => noted(line);
  return { ...reading, session: quiet, call: { ...call, say, session: async () => quiet } };
}
