import { writeJson } from "../../../contract/json.ts";
import type { RelayctlError } from "../../../errors.ts";
import type { RelayerStatus } from "./health.ts";
import type { Seen } from "./read.ts";

/** The change of a relayer since the last read. `seen` is the first read. */
export interface Change {
  event: "seen" | "added" | "changed" | "removed";
  /** The current state; for a removed relayer, the last one. */
  status: RelayerStatus;
}

type Wanted = (status: RelayerStatus) => boolean;

/**
 * Returns the changes in the state of relayers between two reads; everything on the first read. A relayer that no
 * longer matches is reported once more, with its new state.
 */
export function changesBetween(
  before: readonly RelayerStatus[] | undefined,
  now: readonly RelayerStatus[],
  wanted: Wanted,
): Change[] {
  if (!before) return now.filter(wanted).map((status) => ({ event: "seen", status }));
  const old = byId(before);
  const left = byId(now);
  const changed = now.flatMap((status): Change[] => {
    const was = old.get(status.relayer.id);
    if (!was) return wanted(status) ? [{ event: "added", status }] : [];
    const isReported = stateOf(was) !== stateOf(status) && (wanted(was) || wanted(status));
    return isReported ? [{ event: "changed", status }] : [];
  });
  const removed = before.filter((status) => !left.has(status.relayer.id) && wanted(status));
  return [...changed, ...removed.map((status): Change => ({ event: "removed", status }))];
}

function byId(found: readonly RelayerStatus[]): Map<string, RelayerStatus> {
  return new Map(found.map((status) => [status.relayer.id, status]));
}

function stateOf({ relayer, health }: RelayerStatus): string {
  return writeJson([health, relayer.paused ?? false]);
}

/** Reports what a watch reads. */
export interface ChangeReporter {
  seen(seen: Seen): Promise<void>;
  /** Reports that the service does not respond; the watch retries. */
  failed(error: RelayctlError): Promise<void>;
  /** Ends the watch; the last state stays readable. */
  end(): Promise<void>;
}
