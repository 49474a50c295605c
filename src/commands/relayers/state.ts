import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Relayer } from "../../contract/relayer.ts";
import type { Cell } from "../../terminal/view.ts";

/** The words for the reasons of service-facts 4.2. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["NonceSyncFailed", "nonce sync failed"],
  ["RpcValidationFailed", "RPC validation failed"],
  ["BalanceCheckFailed", "balance below the minimum"],
  ["SequenceSyncFailed", "sequence sync failed"],
]);

/** One reason in words; one that is not known is shown as it came. */
export function reasonWords(type: string): string {
  return REASONS.get(type) ?? type;
}

export function isKnownReason(type: string): boolean {
  return REASONS.has(type);
}

/** The three state fields of a relayer in one cell: `active`, `paused`, `disabled · nonce sync failed`. */
export function stateCell(relayer: Relayer): Cell {
  const reasons = disabledReasons(relayer.disabled_reason ?? null);
  const told = reasons.length > 1 ? `${reasons.length} reasons` : reasons[0];
  const disabled = ["disabled", ...(told ? [told] : [])].join(" · ");
  if (relayer.system_disabled && relayer.paused) return { text: `paused, ${disabled}`, tone: "bad" };
  if (relayer.system_disabled) return { text: disabled, tone: "bad" };
  return relayer.paused ? { text: "paused", tone: "warn" } : { text: "active" };
}

/** Why a relayer is disabled, in words. */
export function disabledReasons(reason: JsonValue): string[] {
  return reasonTypes(reason).map(reasonWords);
}

/** The service's own words for it. `Multiple` holds a list of reasons, as objects or as texts (service-facts 4.2). */
export function reasonTypes(reason: JsonValue): string[] {
  if (typeof reason === "string") return [reason];
  if (!isJsonObject(reason)) return [];
  if (Array.isArray(reason.details)) return reason.details.flatMap(reasonTypes);
  return typeof reason.type === "string" ? [reason.type] : [];
}
