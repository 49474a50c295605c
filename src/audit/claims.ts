import { hexHash } from "../chain/evm/quantity.ts";
import { isNoopVerdictVersion, type Version, verdictVersion } from "../chain/verdict/verdict.ts";
import { wireAmount } from "../contract/amount.ts";
import { addToGroup } from "../contract/group-by.ts";
import { type JsonObject, type JsonValue, objectIn } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { isPending, type Transaction, txStatus } from "../contract/transaction/transaction.ts";
import type { Intent, Journal, WriteOutcome } from "../journal/journal.ts";
import type { MinedNonce } from "./mined-nonce.ts";

export interface JournaledSend {
  /** Two transactions with the same intent are a doubled payment. */
  intent: string;
  entry: string;
  /** Absent if the response was lost. */
  id?: string;
  /** Milliseconds since 1970. */
  time: number;
  reason?: string | undefined;
  records: Transaction[];
}

interface Entries {
  sends: JournaledSend[];
  /** From later writes, newest first. */
  changes: Map<string, Transaction[]>;
}

/** Reads the journal's transactions of relayers. @param since milliseconds since 1970 */
export async function readClaimedSends(
  journal: Journal,
  { server, relayerIds, since }: { server: string; relayerIds: readonly string[]; since: number | undefined },
): Promise<JournaledSend[]> {
  const found: Entries = { sends: [], changes: new Map() };
  const outcomes = new Map<string, WriteOutcome[]>();
  for await (const entry of journal.newestFirst(since)) {
    if (entry.type === "outcome") {
      addToGroup(outcomes, entry.id, entry);
      continue;
    }
    const own = outcomes.get(entry.id) ?? [];
    outcomes.delete(entry.id);
    if (entry.server !== server || !relayerIds.includes(entry.ids.relayer_id ?? "")) continue;
    if (own.length > 0 && own.every(({ applied }) => applied === "no")) continue;
    if (entry.operation === "tx.send") addSend(found, entry, own);
    else if (entry.operation.startsWith("tx.")) addChange(found, entry, own);
  }
  return withChanges(found);
}

function addSend({ sends }: Entries, intent: Intent, outcomes: readonly WriteOutcome[]): void {
  const { id: entry, once, run, payment, reason } = intent;
  const key = once === undefined ? (payment ? `${run}/${payment.row}` : entry) : `once:${once}`;
  const shown = outcomes.flatMap(({ after }) => (after ? [after] : [])).reverse();
  const ids = new Set(shown.flatMap(({ id }) => (typeof id === "string" ? [id] : [])));
  const common = { intent: key, entry, time: receivedTime(intent.time), reason };
  if (ids.size === 0) sends.push({ ...common, records: [transactionFrom({ id: "" }, intent)] });
  for (const id of ids) {
    const records = shown.filter((after) => after.id === id).map((after) => transactionFrom(after, intent));
    sends.push({ ...common, id, records });
  }
}

function addChange({ changes }: Entries, intent: Intent, outcomes: readonly WriteOutcome[]): void {
  const { operation, before, ids } = intent;
  const id: JsonValue | undefined = ids.transaction_id;
  if (typeof id !== "string") return;
  const isApplied = outcomes.some(({ applied }) => applied === "yes");
  const shown = outcomes.find(({ after }) => after?.id === id)?.after ?? { ...before, hash: null };
  const canceled = operation === "tx.cancel" && { is_canceled: true };
  if (isApplied) addToGroup(changes, id, transactionFrom({ ...shown, ...canceled, id }, intent));
  if (before?.id === id) addToGroup(changes, id, before as Transaction);
}

/** Returns a write's transaction. The request has the data, which the journal does not repeat. */
function transactionFrom(shown: JsonObject, { body }: Intent): Transaction {
  const { to, value, data, operations } = objectIn(body);
  const typed = { ...(to !== undefined && { to }), ...(value !== undefined && { value }) };
  const wanted = { ...typed, data: data ?? null, ...(operations !== undefined && { operations }) };
  return { ...shown, ...wanted } as Transaction;
}

function withChanges({ sends, changes }: Entries): JournaledSend[] {
  for (const send of sends) send.records.push(...(changes.get(send.id ?? "") ?? []).reverse());
  const sent = new Set(sends.map(({ id }) => id));
  const others = [...changes].flatMap(([id, shown]): JournaledSend[] =>
    sent.has(id)
      ? []
      : [{ intent: id, entry: id, id, time: receivedTime(shown.at(-1)?.created_at), records: shown.reverse() }],
  );
  return [...sends, ...others];
}

/** A transaction as known besides the chain: the service's record, the journal's facts, or both. */
export interface Claim {
  record?: Transaction;
  send?: JournaledSend | undefined;
}

export type Claims = ReturnType<typeof createClaims>;

/** Milliseconds by which the clocks of this machine, the service, and the chain may differ. */
export const SKEW = 15 * 60_000;

export function createClaims(account: string, records: readonly Transaction[], sends: readonly JournaledSend[]) {
  const own = records.filter(({ from }) => typeof from !== "string" || from.toLowerCase() === account);
  const recorded = new Map(own.map((record) => [record.id, record]));
  const byId = new Map(sends.map((send) => [send.id ?? "", send]));
  const { byNonce, byHash, add } = createIndex();
  for (const record of own) add({ record, send: record.id === "" ? undefined : byId.get(record.id) }, [record]);
  for (const send of sends) {
    const record = recorded.get(send.id ?? "");
    // A transaction that was sent with two nonces has a record with one of them (facts 15.9).
    const others = send.records.filter(({ nonce }) => !record || isOtherNonce(nonce, record.nonce));
    add({ send, ...(record && { record: { ...record, nonce: null, hash: null } }) }, others);
  }
  const isOpen = ({ id, records: shown }: JournaledSend) =>
    !recorded.has(id ?? "") && shown.every(({ nonce }) => wireAmount(nonce) === undefined);
  const takeOpen = createOpenSends(sends.filter(isOpen));
  const live = own.filter((record) => isPending(record) || ["mined", "confirmed"].includes(txStatus(record)));
  return {
    /** Returns the hashes that are known of a nonce, newest first. */
    hashesOf: (nonce: bigint): readonly string[] => [
      ...new Set((byNonce.get(nonce) ?? []).flatMap((claim) => claimHashes(claim, nonce))),
    ],
    at: (nonce: bigint): readonly Claim[] => byNonce.get(nonce) ?? [],
    /** Returns the claim of a mined transaction with an unknown nonce; each transaction of the journal once. */
    take: (mined: MinedNonce) => byHash.get(mined.hash) ?? takeOpen(mined),
    failed: own.filter((record) => ["failed", "expired"].includes(txStatus(record))),
    lowest: inOrder([...byNonce.keys()])[0],
    /** The nonces that records show as pending or mined, in order. */
    live: inOrder(live.flatMap(({ nonce }) => wireAmount(nonce) ?? [])),
  };
}

function inOrder(nonces: readonly bigint[]): bigint[] {
  return nonces.toSorted((one, other) => (one < other ? -1 : 1));
}

function createIndex() {
  const byNonce = new Map<bigint, Claim[]>();
  const byHash = new Map<string, Claim>();
  const add = (claim: Claim, shown: readonly Transaction[]) => {
    for (const { nonce, hash } of shown) {
      const [number, key] = [wireAmount(nonce), hexHash(hash)];
      if (key !== undefined) byHash.set(key, claim);
      if (number !== undefined && !byNonce.get(number)?.includes(claim)) addToGroup(byNonce, number, claim);
    }
  };
  return { byNonce, byHash, add };
}

function isOtherNonce(...nonces: (JsonValue | undefined)[]): boolean {
  const [one, other] = nonces.map((nonce) => wireAmount(nonce));
  return one !== undefined && one !== other;
}

function claimHashes({ record, send }: Claim, nonce: bigint): string[] {
  const shown = [...(record ? [record] : []), ...(send?.records ?? []).toReversed()];
  return shown.flatMap(({ hash, nonce: own }) => ((wireAmount(own) ?? nonce) === nonce ? (hexHash(hash) ?? []) : []));
}

function createOpenSends(open: readonly JournaledSend[]): (mined: MinedNonce) => Claim | undefined {
  const byVersion = new Map<string, JournaledSend[]>();
  const used = new Set<JournaledSend>();
  for (const send of open.toSorted((one, other) => one.time - other.time)) {
    const versions = send.records.flatMap((shown) => verdictVersion(shown) ?? []);
    for (const key of new Set(versions.map(claimKey))) addToGroup(byVersion, key, send);
    if (send.records.some(({ is_canceled }) => is_canceled === true)) addToGroup(byVersion, CANCELLATION, send);
  }
  return (mined) => {
    const key = isNoopVerdictVersion(mined, mined.from) ? CANCELLATION : claimKey(mined);
    const send = byVersion.get(key)?.find((each) => !used.has(each) && each.time <= mined.time + SKEW);
    if (!send) return undefined;
    used.add(send);
    return { send };
  };
}

const CANCELLATION = "cancellation";

export function claimKey({ to, value, data }: Version): string {
  return [to, value, data].join(" ");
}
