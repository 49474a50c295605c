import { setMaxListeners } from "node:events";
import type { Client } from "../client/client.ts";
import type { Clock } from "../client/clock.ts";
import { createStopwatch } from "../session/stopwatch.ts";
import { ALL_CODES, type DoctorCode, isLocal, needsStatus } from "./codes.ts";
import { type DoctorReport, examine, reportOf } from "./examine.ts";
import { type Examiner, readFacts } from "./read/read-facts.ts";

export interface DoctorOptions {
  /** IDs (default: up to 100 relayers, the disabled and paused ones first). */
  relayers?: readonly string[];
  /** Whether to examine all relayers, even more than 100 (default: false). */
  all?: boolean;
  /** The codes of the checks to make (default: all except the checks of the machine). */
  only?: readonly DoctorCode[];
  /** The codes of the checks to leave out. */
  ignore?: readonly DoctorCode[];
  /** Milliseconds after which checks that still need to be read are skipped (default: no limit). */
  deadline?: number;
}

interface DoctorNeeds {
  /** Returns a client without retries for a time limit. */
  clientFor(remaining: () => number): Client;
  origin: string;
  clock: Clock;
  interrupt: AbortSignal;
}

/**
 * Examines a service and its relayers, and only reads: at most eight requests about a relayer. What cannot be read is
 * reported as skipped.
 * @throws RelayctlError not_found for an unknown relayer; interrupted
 */
export async function examineService(
  { clientFor, origin, clock, interrupt }: DoctorNeeds,
  { relayers: ids, all = false, only = ALL_CODES, ignore = [], deadline }: DoctorOptions = {},
): Promise<DoctorReport> {
  setMaxListeners(0, interrupt);
  const { remaining } = createStopwatch(clock, deadline);
  const codes = ALL_CODES.filter((code) => only.includes(code) && !ignore.includes(code) && !isLocal(code));
  const examiner: Examiner = {
    session: {
      briefly: (limit) => clientFor(() => Math.min(limit, remaining?.() ?? limit)),
      ...(remaining && { remaining }),
      ownNode: async () => undefined,
      flags: ["--server", origin],
    },
    ...{ clock, interrupt, isDemo: false },
    readHere: async () => ({ journal: NOT_READ, local: NOT_READ, pauses: NOT_READ }),
  };
  const { leftOut, ...facts } = await readFacts(examiner, { ids, all, isClose: needsStatus(codes) });
  return reportOf(examine(facts, codes, leftOut));
}

const NOT_READ = { skipped: "the library does not read the files of this machine" };
