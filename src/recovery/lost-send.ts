import type { ChainTransaction } from "../chain/evm/read-evm.ts";
import type { Chain } from "../chain/open-chain.ts";
import { type Version, verdictVersion } from "../chain/verdict/verdict.ts";
import type { Client } from "../client/client.ts";
import type { ApiResult } from "../client/request.ts";
import { wireAmount } from "../contract/amount.ts";
import { addToGroup, groupBy } from "../contract/group-by.ts";
import { isJsonObject, type JsonValue } from "../contract/json.ts";
import { knownTime, receivedTime } from "../contract/reply/received-time.ts";
import { isNoopTx, isTxBeingCanceled, type Transaction } from "../contract/transaction/transaction.ts";
import { ASSUMED_OFFSET, clockOffsetOf, createdTime, DAY, mayBeCreatedInTime } from "../journal/created-in-time.ts";
import { appliedOf, type Intent, type Journal, type RecordedWrite, walkWrites, writesOf } from "../journal/journal.ts";

/** Identifies a request in a record: its effect, and its gas limit (facts 15.11). */
interface Shape {
  /** The receiver, value, and data, or a whole transaction that was built elsewhere. */
  content: string;
  /** Undefined if the service chooses it. */
  gas: bigint | undefined;
  /** Only a replacement changes it. */
  speed?: JsonValue | undefined;
}

export interface LostSend {
  id: string;
  run: string;
  /** When its intent was recorded, in milliseconds since 1970 by the clock of this machine. */
  time: number;
  /** The later `Date` of an earlier response. A proxy's clock may be wrong: it only delays the proof that nothing was sent. */
  date?: number | undefined;
  /** Undefined if nothing shows which record belongs to it. */
  shape: Shape | undefined;
}

export function lostSendShape(shown: JsonValue | undefined): Shape | undefined {
  if (!isJsonObject(shown)) return undefined;
  const version = verdictVersion(shown);
  const { transaction: whole, speed } = shown;
  if (version) return { content: lostSendContent(version), gas: wireAmount(shown.gas_limit), speed };
  return typeof whole === "string" && whole !== "" ? { content: whole, gas: undefined, speed } : undefined;
}

/** Returns a transaction's effect as one text, which begins with the receiver and the value. */
export function lostSendContent({ to, value, data }: Version): string {
  return `${to} ${value} ${data}`;
}

export function isSameLostSend(request: Shape | undefined, record: Shape | undefined): boolean {
  if (!request || !record || request.content !== record.content) return false;
  return request.gas === undefined || request.gas === record.gas;
}

/** Returns whether a record was requested at another speed, so that it is another one, or was replaced. */
export function lostSendDiffersInSpeed(request: Shape | undefined, record: Shape | undefined): boolean {
  return typeof request?.speed === "string" && typeof record?.speed === "string" && request.speed !== record.speed;
}

export function lostSendOf({ id, run, time, date, body, payment }: Intent): LostSend {
  const shape = lostSendShape(body);
  // A bulk payment's gas limit is unique, even after a replacement.
  const sent = { id, run, time: receivedTime(time), date: knownTime(date) };
  return { ...sent, shape: shape && payment ? { ...shape, speed: undefined } : shape };
}

/** A gateway may pass the request on, and then send its page, or refuse a repetition (decision 132). */
export function mayBePassedOn({ outcome }: RecordedWrite): boolean {
  const { applied, failure, status } = outcome ?? {};
  // The service itself does not know the relayer.
  return applied === "no" && failure !== "not_found" && /^(?:3..|404|407|429)$/.test(String(status));
}

export interface SendCandidate {
  id: string;
  /** By the service's clock; undefined if the record does not show it. */
  created: number | undefined;
  shape: Shape | undefined;
}

/** A request, and when the only record that agrees with it was created, in milliseconds since 1970. */
export interface LateRecord {
  send: LostSend;
  created: number;
}

type Listed = Awaited<ReturnType<typeof readListForLostSends>>;

/** A proxy or a clock can change the order. The count proves that it is complete. @throws RelayctlError otherwise */
export async function readListForLostSends({ tx }: Pick<Client, "tx">, relayerId: string, sends: readonly LostSend[]) {
  const byContent = groupBy(sends, ({ shape }) => shape?.content);
  const agreeing = new Map<string, SendCandidate[]>();
  const misdated = new Map<string, SendCandidate[]>();
  const canceled: SendCandidate[] = [];
  const nonces = new Map<bigint, string | undefined>();
  const note = (record: Transaction) => {
    const nonce = wireAmount(record.nonce);
    if (nonce !== undefined) nonces.set(nonce, record.hash?.toLowerCase() ?? nonces.get(nonce));
    const candidate = { id: record.id, created: createdTime(record.created_at), shape: lostSendShape(record) };
    const alike = byContent.get(candidate.shape?.content ?? "") ?? [];
    for (const send of alike.filter(({ shape }) => isSameLostSend(shape, candidate.shape))) {
      addToGroup(mayBeCreatedInTime(candidate.created, send) ? agreeing : misdated, send.id, candidate);
    }
    if (isTxBeingCanceled(record) || isNoopTx(record)) canceled.push(candidate);
  };
  for await (const { items } of tx.list(relayerId)) {
    for (const record of items) note(record);
  }
  return {
    /** The records that agree with a request, by its ID. */
    agreeing,
    /** The same for records from another time, which agree if the clock of this machine was wrong. */
    misdated,
    /** The records of canceled transactions that don't show their earlier versions. */
    canceled,
    /** The hash of the record with each nonce. */
    nonces,
  };
}

/** A relayer of a service: the journal can contain the writes of others. */
interface RelayerAt {
  server: string;
  relayerId: string;
}

type OtherWrites = Awaited<ReturnType<typeof readOtherWrites>>;

/** Reads a relayer's writes that may concern some requests. Must follow the list: its intents are recorded by then. */
export async function readOtherWrites(journal: Journal, { server, relayerId }: RelayerAt, sends: readonly LostSend[]) {
  const contents = new Set(sends.map(({ shape }) => shape?.content));
  const alike: Record<ReturnType<typeof sendState>, LostSend[]> = { settled: [], open: [], unsent: [] };
  const answered: RecordedWrite[] = [];
  const earlier = new Map<string, Shape[]>();
  const first = sends.reduce((least, { time }) => Math.min(least, time || 0), Number.POSITIVE_INFINITY);
  for await (const write of walkWrites(journal, first - DAY)) {
    const { intent } = write;
    if (intent.server !== server || intent.ids.relayer_id !== relayerId) continue;
    const state = intent.operation === "tx.send" ? sendState(write) : "unsent";
    const other = lostSendOf(intent);
    if (state === "settled") answered.push(write);
    if (contents.has(other.shape?.content)) alike[state].push(other);
    const { transaction_id: id } = intent.ids;
    if (id !== undefined) earlier.set(id, [...(earlier.get(id) ?? []), ...shapesIn([intent.before, intent.body], id)]);
  }
  return {
    /** All requests with unknown transactions: each may have created what another one is looking for. */
    rivals: alike.open,
    /** The requests whose transactions are known by their IDs. */
    settled: alike.settled,
    offset: clockOffsetOf(answered) ?? ASSUMED_OFFSET,
    /** By ID: transactions before they were replaced or canceled. */
    earlier,
  };
}

function sendState(write: RecordedWrite): "settled" | "open" | "unsent" {
  if (appliedOf(write) === "no") return "unsent";
  return appliedOf(write) === "yes" && typeof write.outcome?.after?.id === "string" ? "settled" : "open";
}

/** Returns the versions in an intent. The earlier version's data is not recorded, so any data agrees. */
function shapesIn(parts: readonly (JsonValue | undefined)[], id: string): Shape[] {
  return parts.flatMap((part) => {
    const isNothing = isJsonObject(part) && isNoopTx({ ...part, id } as Transaction);
    return isNothing ? [] : (lostSendShape(part) ?? []);
  });
}

/** Returns a function that returns the intents whose result a transaction is known to be, by its ID or its hash. */
export function createLostSendOwners(journal: Journal): (key: string) => Promise<readonly string[]> {
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

export type SendFate =
  | { state: "sent"; record: ApiResult<Transaction> }
  /** The chain has its transaction, and the service deleted the record. */
  | { state: "sent"; mined: ChainTransaction }
  /** No transaction of it can exist anymore. */
  | { state: "unsent" }
  /** `candidates` are IDs or hashes of possible transactions, so it must not be resent. `isUnasked`: the chain did not respond. */
  | { state: "unknown"; because: string; candidates: readonly string[]; isUnasked?: true };

export interface FindingWorld extends RelayerAt {
  client: Pick<Client, "tx">;
  journal: Journal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Opens the chain, which decides about a request without a record; absent if it is too early. */
  chain?: (() => Promise<Chain>) | undefined;
}

export interface SendEvidence {
  listed: Listed;
  others: OtherWrites;
  /** Returns the IDs of the intents whose result a transaction is known to be, by its ID or hash. */
  ownersOf(key: string): Promise<readonly string[]>;
}

export function unknownSend(
  because: string,
  candidates: readonly string[] = [],
): Extract<SendFate, { state: "unknown" }> {
  return { state: "unknown", because, candidates };
}
