import type { Diagnosis, FindingCode } from "./diagnosis.ts";

/** Why a transaction is listed: a finding about the queue's head, or that it waits for another one. */
export type StuckCode = FindingCode | "waits" | "pending";

const BRIEF: Readonly<Partial<Record<StuckCode, string>>> = {
  below_base_fee: "fee below base fee",
  underpriced: "fee below base fee",
  low_tip: "tip too low",
  unfunded: "balance too low",
  worker_dead: "the service does not send it",
  response_lost: "sent, and not mined",
  not_broadcast: "not broadcast",
  never_broadcast: "never broadcast",
  unsignable: "can never be signed",
  unsigned: "not signed",
  not_prepared: "waits for a nonce",
  dropped: "dropped by the node",
  slow: "not mined",
  in_progress: "in progress",
  paused: "relayer is paused",
  disabled: "relayer is disabled",
  chain_unread: "chain not read",
  node_behind: "the node lags",
  pending: "pending for longer than usual",
};

export function briefStuckCause(code: StuckCode, waitsFor: string | null): string {
  if (waitsFor !== null) return `waits for nonce ${waitsFor}`;
  return BRIEF[code] ?? code.replaceAll("_", " ");
}

export function stuckHeadWords({ head }: Diagnosis): string {
  if (head?.nonce === undefined) return "it waits for a nonce";
  return `it waits for nonce ${head.nonce}${head.record ? "" : ", which no transaction has"}`;
}

export function usedNonceWords(nonce: bigint | undefined, status: string): string {
  return `nonce ${nonce} is used on the chain, but its record still says ${status}`;
}

export function stuckWaitingText(after: bigint): string {
  const which =
    after === 0n ? "no transaction waits" : after === 1n ? "1 transaction waits" : `${after} transactions wait`;
  return `${which} behind it`;
}
