import type { Intent } from "./entry.ts";
import type { Processes } from "./lease.ts";

/**
 * Returns whether the process that recorded an intent runs on this machine. A process with its number that started at
 * another time is a later one.
 */
export function isRunning(
  { pid, host, started }: Intent,
  { host: ownHost, isRunning: runs, startOf = () => undefined }: Processes,
): boolean {
  return pid !== undefined && host === ownHost() && runs(pid) && startOf(pid) === started;
}
