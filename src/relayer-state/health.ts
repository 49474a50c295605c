import { groupDigits, pluralize } from "../contract/decimal.ts";
import { createHeldBytes, type JsonObject } from "../contract/json.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { withMaskedRpcUrls } from "../contract/rpc-url.ts";
import { type Problem, RelayctlError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import { compareTexts } from "../terminal/select/compare.ts";
import { type RelayerState, relayerState, STATES, stateReasonTypes } from "./state.ts";

type InContext = Pick<Session, "flags">;

export interface RelayerStatus extends JsonObject {
  relayer: Relayer;
  /** The service's status response (facts 3.1); null if it was not read or did not respond. */
  status: JsonObject | null;
  /** From the relayer's fields. `reasons` are the service's words, with `Multiple` expanded. */
  health: { state: RelayerState; reasons: string[] };
  /** Selected ERC-20 balances by name, in the smallest unit; null if unknown, or on another network. */
  erc20?: Record<string, bigint | null>;
}

export function listedHealth(listed: Relayer): RelayerStatus {
  const relayer = withMaskedRpcUrls(listed) as Relayer;
  const reasons = relayer.system_disabled ? stateReasonTypes(relayer.disabled_reason ?? null) : [];
  return { relayer, status: null, health: { state: relayerState(relayer), reasons } };
}

export function healthCounts(found: readonly RelayerStatus[]): string[] {
  return STATES.filter((state) => state !== "active").flatMap((state) => {
    const count = found.filter(({ health }) => health.state === state).length;
    return count === 0 ? [] : `${groupDigits(count)} ${state}`;
  });
}

/** Returns a check's error, with the shown relayers' problems; no relayers at all fail, too. */
export function healthFailure(
  found: readonly RelayerStatus[],
  shown: readonly RelayerStatus[],
  wrong: string,
  details: readonly Problem[] = [],
): RelayctlError | undefined {
  if (found.length > 0 && wrong === "") return undefined;
  const words = found.length === 0 ? "no relayer was examined" : `${wrong} of ${pluralize(shown.length, "relayer")}`;
  const because = details.length === 1 ? details.map(({ where, rule }) => `${where}: ${rule}`) : [];
  return new RelayctlError("unmet", `the check failed: ${words}`, { details, because });
}

/** Sorts disabled before paused before active, and by ID. */
function worstFirst(found: readonly RelayerStatus[]): RelayerStatus[] {
  const severity = ({ health }: RelayerStatus) => STATES.indexOf(health.state);
  return [...found].sort(
    (left, right) => severity(left) - severity(right) || compareTexts(left.relayer.id, right.relayer.id),
  );
}

export interface ReadStatuses {
  /** Worst first. */
  found: readonly RelayerStatus[];
  missing: readonly string[];
  /** The first response, as received. */
  body: Uint8Array;
}

/** Reads the whole list. @param ids the requested relayers (default: all) */
export async function readStatuses({ client }: Session, ids: readonly string[] | undefined): Promise<ReadStatuses> {
  const found: RelayerStatus[] = [];
  const scale = createHeldBytes();
  const remaining = new Set(ids);
  let body: Uint8Array | undefined;
  for await (const page of client.relayers.list()) {
    body ??= page.body;
    for (const item of page.items) {
      if (ids !== undefined && !remaining.has(item.id)) continue;
      const status = listedHealth(item);
      found.push(status);
      // The printed form is held in memory too.
      page.keep(2 * scale(status));
    }
  }
  for (const { relayer } of found) remaining.delete(relayer.id);
  return { found: worstFirst(found), missing: [...remaining], body: body ?? new Uint8Array() };
}

/** @throws RelayctlError not_found, with all missing IDs */
export function selectRelayers(relayers: readonly Relayer[], ids: readonly string[], session: InContext): Relayer[] {
  const found = new Map(relayers.map((relayer) => [relayer.id, relayer]));
  refuseMissing({ missing: ids.filter((id) => !found.has(id)) }, session);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Throws with all IDs of missing relayers: a read of several is all or nothing. @throws RelayctlError not_found */
export function refuseMissing({ missing }: Pick<ReadStatuses, "missing">, session: InContext): void {
  if (missing.length > 0) throw missingRelayersError(missing, session);
}

export function missingRelayersError(missing: readonly string[], { flags }: InContext): RelayctlError {
  const count = missing.length === 1 ? "relayer" : `${groupDigits(missing.length)} relayers`;
  const hint = commandLine(...flags, "relayers", "list");
  return new RelayctlError("not_found", `${count} not found: ${missing.join(", ")}`, { hint });
}
