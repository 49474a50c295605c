import { grouped } from "../contract/decimal.ts";
import { createScale } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import { type RelayerStatus, statusOf, worstFirst } from "./health.ts";

export interface ReadStatuses {
  /** Worst first. */
  found: readonly RelayerStatus[];
  missing: readonly string[];
  /** The first response, as received. */
  body: Uint8Array;
}

/** Reads the whole list. @param ids the requested relayers; all of them if absent */
export async function readStatuses({ client }: Session, ids: readonly string[] | undefined): Promise<ReadStatuses> {
  const found: RelayerStatus[] = [];
  const scale = createScale();
  const remaining = new Set(ids);
  let body: Uint8Array | undefined;
  for await (const page of client.relayers.list()) {
    body ??= page.body;
    for (const item of page.items) {
      if (ids !== undefined && !remaining.has(item.id)) continue;
      const status = statusOf(item);
      found.push(status);
      // The printed form is held in memory too.
      page.keep(2 * scale(status));
    }
  }
  for (const { relayer } of found) remaining.delete(relayer.id);
  return { found: worstFirst(found), missing: [...remaining], body: body ?? new Uint8Array() };
}

/** Throws with all IDs of missing relayers: a read of several is all or nothing. @throws RelayctlError not_found */
export function refuseMissing({ missing }: Pick<ReadStatuses, "missing">, { flags }: Pick<Session, "flags">): void {
  if (missing.length === 0) return;
  const [first] = missing;
  const message =
    missing.length === 1
      ? `relayer not found: ${first}`
      : `${grouped(missing.length)} relayers not found: ${missing.join(", ")}`;
  throw new RelayctlError("not_found", message, { hint: commandLine(...flags, "relayers", "list") });
}
