import { isJsonObject, type JsonValue } from "../contract/json.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { isNoop } from "../contract/transaction/transaction-state.ts";
import { ASSUMED_OFFSET, type ClockOffset, clockOffsetOf, DAY } from "../journal/created-in-time.ts";
import type { Journal } from "../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst, writesOf } from "../journal/writes.ts";
import { type LostSend, lostSendOf, type Shape, shapeOf } from "./lost-send.ts";

/** A relayer of a service: the journal can contain the writes of others. */
export interface RelayerAt {
  server: string;
  relayerId: string;
}

export interface OtherWrites {
  /** All requests whose transactions are not known: each may have created what another one is looking for. */
  rivals: readonly LostSend[];
  /** The requests whose transactions are known by their IDs. */
  settled: readonly LostSend[];
  offset: ClockOffset;
  /** What transactions were before they were replaced or canceled, by their IDs. */
  earlier: ReadonlyMap<string, readonly Shape[]>;
}

/**
 * Reads the writes of a relayer that can have to do with some requests. Must be called after the list was read: the intent
 * of every transaction in it is recorded by then.
 */
export async function readOtherWrites(
  journal: Journal,
  { server, relayerId }: RelayerAt,
  sends: readonly LostSend[],
): Promise<OtherWrites> {
  const contents = new Set(sends.map(({ shape }) => shape?.content));
  const alike: Record<ReturnType<typeof getState>, LostSend[]> = { settled: [], open: [], unsent: [] };
  const answered: RecordedWrite[] = [];
  const earlier = new Map<string, Shape[]>();
  const first = sends.reduce((least, { time }) => Math.min(least, time || 0), Number.POSITIVE_INFINITY);
  for await (const write of writesNewestFirst(journal, first - DAY)) {
    const { intent } = write;
    if (intent.server !== server || intent.ids.relayer_id !== relayerId) continue;
    const state = intent.operation === "tx.send" ? getState(write) : "unsent";
    const other = lostSendOf(intent);
    if (state === "settled") answered.push(write);
    if (contents.has(other.shape?.content)) alike[state].push(other);
    const { transaction_id: id } = intent.ids;
    if (id !== undefined) earlier.set(id, [...(earlier.get(id) ?? []), ...shapesIn([intent.before, intent.body], id)]);
  }
  return { rivals: alike.open, settled: alike.settled, offset: clockOffsetOf(answered) ?? ASSUMED_OFFSET, earlier };
}

function getState(write: RecordedWrite): "settled" | "open" | "unsent" {
  if (appliedOf(write) === "no") return "unsent";
  return appliedOf(write) === "yes" && typeof write.outcome?.after?.id === "string" ? "settled" : "open";
}

/** What an intent shows of a transaction's versions. The data of the one before is not recorded, so that any data agrees. */
function shapesIn(parts: readonly (JsonValue | undefined)[], id: string): Shape[] {
  return parts.flatMap((part) => {
    const isNothing = isJsonObject(part) && isNoop({ ...part, id } as Transaction);
    return isNothing ? [] : (shapeOf(part) ?? []);
  });
}

/** Returns a function that returns the intents whose result a transaction is known to be, by its ID or its hash. */
export function createOwners(journal: Journal): (key: string) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>();
  return async (key) => {
    const found = known.get(key) ?? writesOf(await journal.find(key)).flatMap((write) => ownerIn(write, key));
    known.set(key, found);
    return found;
  };
}

function ownerIn({ intent, outcome }: RecordedWrite, key: string): string[] {
  const { id, hash } = outcome?.after ?? {};
  return intent.operation === "tx.send" && (id === key || hash === key) ? [intent.id] : [];
}
