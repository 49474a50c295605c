import { readFileSync } from "node:fs";

/** What /proc counts in, everywhere but on a few architectures. */
const TICKS_PER_SECOND = 100;

/** Returns the seconds of CPU that a process has used, or NaN without /proc. */
export function cpuOf(pid) {
  try {
    // After the name, which may hold anything, come the state and then numbers; user and system time are the 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
