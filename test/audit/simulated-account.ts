import type { NonceKind } from "../../src/audit/classify.ts";
import type { AuditRequest } from "../../src/audit/open-audit.ts";
import type { JsonObject, JsonValue } from "../../src/contract/json.ts";
import type { Transaction } from "../../src/contract/transaction/transaction.ts";
import type { Entry, Journal } from "../../src/journal/journal.ts";
import { type FakeNode, fakeNode, NO_METHOD } from "../chain/fake-node.ts";

export const OWN = `0x${"70".repeat(20)}`;
const NOW = Date.parse("2026-11-21T03:12:07Z");
const SERVER = "https://relayer.example.org";
const HEIGHT = 10_000_000;
const SECONDS = 12;

interface Sent {
  nonce: number;
  hash: string;
  to: string;
  value: bigint;
  block: number;
  paid: bigint;
  reverted: boolean;
}

export interface SimulatedAccount {
  node: FakeNode;
  request: AuditRequest;
  mined: readonly Sent[];
  /** The nonces that were planted, by kind; all others are as recorded. */
  planted: ReadonlyMap<NonceKind, readonly number[]>;
}

/** What every 97 nonces has: one of each kind. */
const PLANTS: Readonly<Record<number, NonceKind>> = {
  13: "foreign",
  29: "doubled",
  41: "cancel_lost",
  53: "canceled",
  67: "other_version",
  72: "maybe_doubled",
};
const [ROUND, JOURNALED, REVERTED] = [97, 85, 91];

function plantAt(nonce: number): NonceKind | undefined {
  return PLANTS[nonce % ROUND];
}

const hex = (amount: bigint | number) => `0x${amount.toString(16)}`;
const word = (number: number, first: string) => `0x${first}${number.toString(16).padStart(63, "0")}`;
const time = (block: number) => NOW - (HEIGHT - block) * SECONDS * 1000;
const iso = (block: number) => new Date(time(block)).toISOString();

/** Simulates a service and a chain on which an account used many nonces, with some of each kind among them. */
export function simulateAccount(count: number): SimulatedAccount {
  const mined = mineAll(count);
  const planted = new Map<NonceKind, number[]>();
  const plant = (kind: NonceKind, nonce: number) => planted.set(kind, [...(planted.get(kind) ?? []), nonce]);
  for (const { nonce } of mined) {
    const kind = plantAt(nonce);
    if (kind) plant(kind, nonce);
  }
  const waiting: Transaction[] = [];
  for (let nonce = count; nonce < count + Math.ceil(count / 50); nonce++) {
    if (nonce % 2 === 0) plant("gap", nonce);
    else waiting.push({ id: `tx-${nonce}`, status: "submitted", nonce, from: OWN, hash: word(nonce, "c") });
  }
  // The highest one is waiting, so that each gap has one after it.
  waiting.push({ id: "tx-last", status: "submitted", nonce: count + Math.ceil(count / 50), from: OWN, hash: null });
  const records = [...mined.flatMap((sent) => recordOf(sent)), ...waiting].reverse();
  const node = nodeOf(mined);
  const client = { tx: { list: pagesOf(records) } } as unknown as AuditRequest["client"];
  const journal = { newestFirst: entriesOf(mined) } as unknown as Journal;
  const request: AuditRequest = {
    ...{ relayerId: "evm-1", account: OWN, server: SERVER, client, node, journal, store: undefined, now: NOW },
    network: { chainId: 1n, blockTime: SECONDS * 1000 },
    span: { since: time(0) },
  };
  return { node, request, mined, planted };
}

function mineAll(count: number): Sent[] {
  const mined: Sent[] = [];
  let block = HEIGHT - 200 - count * 5;
  for (let nonce = 0; nonce < count; nonce++) {
    block += 1 + ((nonce * 7) % 9);
    const kind = plantAt(nonce);
    const earlier = kind === "maybe_doubled" || kind === "doubled" ? mined[nonce - 1] : undefined;
    const isNoop = kind === "canceled";
    mined.push({
      ...{ nonce, hash: word(nonce + 1, "a"), block, paid: 10n ** 9n + BigInt(nonce * 13) },
      to: isNoop ? OWN : (earlier?.to ?? `0x${(nonce % 7).toString().repeat(40)}`),
      value: isNoop ? 0n : (earlier?.value ?? 10n ** 18n + BigInt(nonce)),
      reverted: nonce % ROUND === REVERTED,
    });
  }
  return mined;
}

function recordOf({ nonce, hash, to, value, block, reverted }: Sent): Transaction[] {
  const kind = plantAt(nonce);
  if (kind === "foreign" || nonce % ROUND === JOURNALED) return [];
  const status = reverted ? "failed" : kind === "canceled" ? "canceled" : "confirmed";
  const record = { id: `tx-${nonce}`, status, nonce, hash, from: OWN, to, value: String(value), data: null };
  const shown = { ...record, created_at: iso(block - 3) };
  if (kind === "canceled") return [{ ...shown, is_canceled: true }];
  if (kind === "cancel_lost") return [{ ...shown, status: "canceled", is_canceled: true }];
  return [kind === "other_version" ? { ...shown, value: String(value + 1n) } : shown];
}

/** What this machine sent: both transactions of a doubled intent, and those whose records the service deleted. */
function entriesOf(mined: readonly Sent[]) {
  return async function* (): AsyncGenerator<Entry> {
    for (const sent of mined.toReversed()) {
      const isSecond = plantAt(sent.nonce) === "doubled";
      const isFirst = plantAt(sent.nonce + 1) === "doubled";
      if (isFirst || isSecond) yield* writeOf(sent, { once: `invoice-${isSecond ? sent.nonce : sent.nonce + 1}` });
      else if (sent.nonce % ROUND === JOURNALED) yield* writeOf(sent);
    }
  };
}

function* writeOf({ nonce, to, value, block }: Sent, once: { once?: string } = {}): Generator<Entry> {
  const common = { id: `write-${nonce}`, run: `run-${nonce}`, time: iso(block - 3) };
  const after = { id: once.once ? `tx-${nonce}` : `gone-${nonce}`, status: "pending", nonce: null, hash: null };
  yield { type: "outcome", ...common, applied: "yes", after };
  const body = { to, value: String(value), data: null, gas_limit: 21_000 };
  yield {
    ...{ type: "intent", ...common, ...once, user: "u", host: "h", server: SERVER, command: "relayctl tx send" },
    ...{ operation: "tx.send", kind: "once", method: "POST", target: "/", ids: { relayer_id: "evm-1" }, body },
    reason: `payout ${nonce}`,
  };
}

function pagesOf(records: readonly Transaction[]) {
  return async function* () {
    for (let at = 0; at < records.length; at += 100) yield { items: records.slice(at, at + 100) };
  };
}

function nodeOf(mined: readonly Sent[]): FakeNode {
  const byHash = new Map(mined.map((sent) => [sent.hash, sent]));
  const byBlock = new Map(mined.map((sent) => [sent.block, sent]));
  const usedAt = (block: number) => {
    let [low, high] = [0, mined.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((mined[middle]?.block ?? 0) <= block) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const numberOf = (tag: JsonValue | undefined) =>
    tag === "latest" || tag === "pending" ? HEIGHT : tag === "finalized" ? HEIGHT - 64 : Number(tag);
  return fakeNode((method, [first, second]) => {
    if (method === "eth_getTransactionCount") return hex(usedAt(numberOf(second)));
    if (method === "eth_getTransactionReceipt") return receiptOf(byHash.get(String(first)));
    if (method === "eth_getBlockByNumber") return blockOf(numberOf(first), byBlock.get(numberOf(first)));
    return NO_METHOD;
  });
}

function receiptOf(sent: Sent | undefined): JsonObject | null {
  if (!sent) return null;
  const { hash, block, reverted, paid } = sent;
  return {
    ...{ transactionHash: hash, blockNumber: hex(block), blockHash: word(block, "b") },
    ...{ status: reverted ? "0x0" : "0x1", gasUsed: hex(21_000), effectiveGasPrice: hex(paid) },
  };
}

function blockOf(number: number, sent: Sent | undefined): JsonObject {
  const shown = sent && {
    ...{ hash: sent.hash, from: OWN, to: sent.to, value: hex(sent.value), input: "0x", nonce: hex(sent.nonce) },
    ...{ gas: hex(21_000), blockNumber: hex(number) },
  };
  return {
    ...{ number: hex(number), hash: word(number, "b"), timestamp: hex(time(number) / 1000) },
    transactions: shown ? [shown] : [],
  };
}
