import { join } from "node:path";

/** The flag of an attempt's time, which is up when a program with `ENDED_BY_SIGNAL` in NODE_OPTIONS gets SIGUSR2. */
export const TIMEOUT = "20s";
export const ENDED_BY_SIGNAL = `--require ${join(import.meta.dirname, "time-up.cjs")}`;
