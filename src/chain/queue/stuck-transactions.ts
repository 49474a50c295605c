import { networkKind } from "../../contract/network-kind.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isBeyondUsualTime, transactionAge } from "../../contract/transaction/usual-time.ts";
import { feesOf, mostFeePerGas } from "../replacement/fees.ts";
import type { Diagnosis, FindingCode } from "./diagnosis.ts";
import type { QueueReading } from "./read-queue.ts";
import { slotsOf } from "./slots.ts";
import { type StuckCode, stuckHeadWords } from "./stuck-words.ts";

/** A stuck transaction for scripts. Amounts are strings of wei. */
export type StuckTransaction = ReturnType<typeof shownFacts> & ReturnType<typeof placeIn> & { base_fee: string | null };

export interface StuckRequest {
  ids: readonly string[] | undefined;
  /** The least age in milliseconds; undefined for longer than usual. */
  older: number | undefined;
  /** Whether even a terminal lists those that only wait for another (default: if they were selected). */
  isWhole?: boolean | undefined;
}

export interface Listed {
  relayer: Pick<Relayer, "id" | "network" | "network_type">;
  /** The least age in milliseconds; undefined for longer than usual, or in a queue that is stuck. */
  older: number | undefined;
}

export function stuckInQueue(
  { relayer, older }: Listed,
  { evidence, diagnosis }: Pick<QueueReading, "evidence"> & { diagnosis: Diagnosis },
  next: string | null,
): StuckTransaction[] {
  const { open, unnumbered } = slotsOf(evidence);
  const all = [...open, ...unnumbered];
  const { isStuck } = diagnosis;
  const isListed = (transaction: Transaction) =>
    older === undefined && isStuck === true ? true : isOlder(transaction, { relayer, older }, evidence.now);
  const baseFee = evidence.chain?.baseFee;
  const place = { diagnosis, others: all.length - 1, next };
  return all.filter(isListed).map((transaction) => ({
    ...shownFacts(transaction, relayer),
    base_fee: baseFee === undefined ? null : String(baseFee),
    ...placeIn(transaction, place),
  }));
}

function isOlder(transaction: Transaction, { relayer, older }: Listed, now: number): boolean {
  return older === undefined
    ? isBeyondUsualTime(transaction, networkKind(relayer), now)
    : (transactionAge(transaction, now) ?? 0) >= older;
}

/** Why it is unknown whether a queue is stuck: a paused or disabled relayer refuses to ask its node (facts 15.7). */
const DOUBTS: readonly FindingCode[] = ["node_behind", "paused", "disabled", "chain_unread"];

function placeIn(
  { id }: Transaction,
  { diagnosis, others, next }: { diagnosis: Diagnosis; others: number; next: string | null },
): {
  code: StuckCode;
  why: string;
  /** The nonce that it waits for; null for the transaction that holds up the others. */
  waits_for: string | null;
  blocks: number;
  /** Null if no command helps. */
  next: string | null;
} {
  const { head, findings, isStuck } = diagnosis;
  const first =
    isStuck === undefined ? (findings.find(({ code }) => DOUBTS.includes(code)) ?? findings[0]) : findings[0];
  if (id === head?.record?.id && first)
    return { code: first.code, why: first.message, waits_for: null, blocks: others, next };
  // The next nonce is unknown, too.
  if (first?.code === "node_behind")
    return { code: first.code, why: first.message, waits_for: null, blocks: 0, next: head?.record ? null : next };
  const waitsFor = head?.nonce === undefined ? null : String(head.nonce);
  return {
    code: "waits",
    why: stuckHeadWords(diagnosis),
    waits_for: waitsFor,
    blocks: 0,
    // A gap has no row.
    next: head?.record ? null : next,
  };
}

/** Returns the listed transactions of a relayer on Solana or Stellar, where transactions don't wait for each other. */
export function independentlyStuck(
  { relayer, older }: Listed,
  pending: readonly Transaction[],
  now: number,
): StuckTransaction[] {
  return pending
    .filter((transaction) => isOlder(transaction, { relayer, older }, now))
    .map((transaction) => ({
      ...shownFacts(transaction, relayer),
      base_fee: null,
      code: "pending",
      why: "it is pending, and expires by itself",
      waits_for: null,
      blocks: 0,
      next: null,
    }));
}

function shownFacts(transaction: Transaction, { id, network = null }: Listed["relayer"]) {
  const fees = feesOf(transaction);
  return {
    relayer_id: id,
    network,
    id: transaction.id,
    nonce: transaction.nonce ?? null,
    status: transaction.status ?? null,
    created_at: transaction.created_at ?? null,
    value: transaction.value ?? null,
    fee: fees ? String(mostFeePerGas(fees)) : null,
  };
}
