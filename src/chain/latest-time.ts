import { receivedTime } from "../contract/reply/received-time.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";

/**
 * Returns the time by the later of two clocks, in milliseconds since 1970: this machine's, and the service's as far as
 * records show it. A machine whose clock is slow must not take new blocks for blocks of the future.
 */
export function latestTime(now: number, records: readonly (Transaction | undefined)[]): number {
  const shown = records.flatMap((record) => [record?.created_at, record?.sent_at, record?.confirmed_at]);
  return Math.max(now, ...shown.map((time) => receivedTime(time)).filter(Number.isFinite));
}
