import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { withMaskedRpcUrls } from "../../../contract/rpc-url.ts";
import { compareTexts } from "../../../terminal/select/compare.ts";
import { reasonTypes } from "../state.ts";

/** The worst of what is so: the service disabled it, an operator paused it, or it works. */
export const STATES = ["disabled", "paused", "active"] as const;
export type HealthState = (typeof STATES)[number];

/** One relayer, and how it is. */
export interface RelayerStatus extends JsonObject {
  /** The service's own data. */
  relayer: Relayer;
  /** What the service's status route returned (facts 3.1); null if it was not read or did not respond. */
  status: JsonObject | null;
  /** What follows from the relayer's own members. `reasons` are the service's words, `Multiple` unfolded. */
  health: { state: HealthState; reasons: string[] };
}

export function statusOf(listed: Relayer): RelayerStatus {
  const relayer = withMaskedRpcUrls(listed) as Relayer;
  const reasons = relayer.system_disabled ? reasonTypes(relayer.disabled_reason ?? null) : [];
  return { relayer, status: null, health: { state: stateOf(relayer), reasons } };
}

function stateOf({ system_disabled, paused }: Relayer): HealthState {
  if (system_disabled) return "disabled";
  return paused ? "paused" : "active";
}

/** Whoever is paused is not well either: it refuses work, and somebody has to resume it. */
export function isWell({ health }: RelayerStatus): boolean {
  return health.state === "active";
}

/** Disabled before paused before active, and by id. */
export function worstFirst(found: readonly RelayerStatus[]): RelayerStatus[] {
  const severity = ({ health }: RelayerStatus) => STATES.indexOf(health.state);
  return [...found].sort(
    (left, right) => severity(left) - severity(right) || compareTexts(left.relayer.id, right.relayer.id),
  );
}
