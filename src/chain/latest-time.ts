import { receivedTime } from "../contract/reply/received-time.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";

/** Returns the later of this machine's time and the service's, as records show it. */
export function latestTime(now: number, records: readonly (Transaction | undefined)[]): number {
  const shown = records.flatMap((record) => [record?.created_at, record?.sent_at, record?.confirmed_at]);
  return Math.max(now, ...shown.map((time) => receivedTime(time)).filter(Number.isFinite));
}
