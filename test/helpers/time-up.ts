import { join } from "node:path";

/**
 * The time for an attempt, as a flag, of a program that is started with `ENDED_BY_SIGNAL` in its NODE_OPTIONS: it is up when the
 * program gets SIGUSR2, however slow the machine is.
 */
export const TIMEOUT = "20s";
export const ENDED_BY_SIGNAL = `--require ${join(import.meta.dirname, "time-up.cjs")}`;
