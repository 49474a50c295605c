import { isJsonObject, type JsonValue } from "../contract/json.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import type { Cell, RowSign } from "../terminal/view.ts";

export const BALANCE_CHECK = "BalanceCheckFailed";

/** The reasons of facts 4.2, their words, and their sentences: a list of reasons may contain only these. */
const REASONS: readonly (readonly [type: string, words: string, sentence: string])[] = [
  ["NonceSyncFailed", "nonce sync failed", "Nonce synchronization failed"],
  ["RpcValidationFailed", "RPC validation failed", "RPC endpoint validation failed"],
  [BALANCE_CHECK, "balance check failed", "Insufficient balance"],
  ["SequenceSyncFailed", "sequence sync failed", "Sequence synchronization failed"],
];

/** The facts about a balance whose check failed: a balance that the node did not return is reported as too low. */
export type BalanceKnown = "low" | "unread" | "open";

const BALANCE: Record<BalanceKnown, string> = {
  low: "balance below the minimum",
  unread: "balance could not be read",
  open: "balance below the minimum, or could not be read",
};

/** Returns what a failed balance check shows: nothing next to an unreachable node (facts 16.5). */
export function balanceState(types: readonly string[], isRead = true): BalanceKnown {
  if (types.includes("RpcValidationFailed")) return "unread";
  return isRead ? "low" : "open";
}

export function stateReasonWords(types: readonly string[], balance = balanceState(types)): string[] {
  const wordsFor = (type: string) => REASONS.find(([known]) => known === type)?.[1] ?? type;
  return types.map((type) => (type === BALANCE_CHECK ? BALANCE[balance] : wordsFor(type)));
}

export function isKnownStateReason(type: string): boolean {
  return REASONS.some(([known]) => known === type);
}

/** Returns the three state fields of a relayer in one cell: `active`, `paused`, `disabled · nonce sync failed`. */
export function stateCell(relayer: Relayer): Cell {
  const reasons = stateDisabledReasons(relayer.disabled_reason ?? null);
  const reasonText = reasons.length > 1 ? `${reasons.length} reasons` : reasons[0];
  const disabled = ["disabled", ...(reasonText ? [reasonText] : [])].join(" · ");
  if (relayer.system_disabled && relayer.paused) return { text: `paused, ${disabled}`, tone: "bad" };
  if (relayer.system_disabled) return { text: disabled, tone: "bad" };
  return relayer.paused ? { text: "paused", tone: "warn" } : { text: "active" };
}

export type RelayerState = "disabled" | "paused" | "active";

export function relayerState({ system_disabled, paused }: Relayer): RelayerState {
  if (system_disabled) return "disabled";
  return paused ? "paused" : "active";
}

const TONES = { disabled: "bad", paused: "warn", active: undefined } as const;

/** Returns the state without reasons: `active`, `paused`, `disabled, paused`. */
export function briefStateCell(relayer: Relayer): Cell {
  const state = relayerState(relayer);
  return { text: state === "disabled" && relayer.paused ? "disabled, paused" : state, tone: TONES[state] };
}

export function relayerStateSign({ system_disabled, paused }: Relayer): RowSign {
  if (system_disabled) return { sign: "bad", tone: "bad" };
  return paused ? { sign: "paused", tone: "warn" } : { sign: "active", tone: "good" };
}

/** The states, worst first: disabled by the service, paused by an operator, or active. */
export const STATES: readonly RelayerState[] = ["disabled", "paused", "active"];

export function stateRank(relayer: Relayer): number {
  return STATES.indexOf(relayerState(relayer));
}

export function stateDisabledReasons(reason: JsonValue): string[] {
  return stateReasonWords(knownStateReasons(reason));
}

export function knownStateReasons(reason: JsonValue): string[] {
  return stateReasonTypes(reason).map((text) => REASONS.find(([, , sentence]) => sentence === text)?.[0] ?? text);
}

/** Returns the service's words. `Multiple` has a list of reasons, as objects or as texts (facts 4.2). */
export function stateReasonTypes(reason: JsonValue): string[] {
  if (typeof reason === "string") return [reason];
  if (!isJsonObject(reason)) return [];
  if (Array.isArray(reason.details)) return reason.details.flatMap(stateReasonTypes);
  return typeof reason.type === "string" ? [reason.type] : [];
}
