import { networkId } from "../contract/resources/network.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { RelayctlError } from "../errors.ts";
import { commandLine } from "../shell/shell-words.ts";
import { BALANCE_CHECK, balanceState, isKnownStateReason, knownStateReasons, stateReasonWords } from "./state.ts";

export interface Recovery {
  /** The reasons in words: `RPC validation failed; nonce sync failed`. */
  why: string;
  /** The service's next step, and the user's options. An unknown reason implies nothing. */
  next: readonly string[];
  /** The words after `relayctl` of the command that fixes the cause. */
  remedy?: readonly string[];
}

/** The service checks after 10, 20, 30, 45, and then every 60 seconds (facts 4.2). */
const AGAIN = "the service tries again by itself, about once a minute";
const OWN_URLS = "its own RPC URLs cannot be changed while it is disabled";

/** @param flags for the same service @param isRead whether the balance was just read */
export function describeDisabledRecovery(relayer: Relayer, flags: readonly string[], isRead = false): Recovery {
  const reasons = knownStateReasons(relayer.disabled_reason ?? null);
  const balance = balanceState(reasons, isRead);
  const why = reasons.length === 0 ? "no reason given" : stateReasonWords(reasons, balance).join("; ");
  if (reasons.length > 0 && !reasons.some(isKnownStateReason)) return { why, next: [] };
  if (reasons.includes("RpcValidationFailed")) return { why, ...afterNode(relayer, flags) };
  if (!reasons.includes(BALANCE_CHECK)) return { why, next: [AGAIN] };
  const fund = `fund ${relayer.address ?? "its address"}`;
  return { why, next: [AGAIN, balance === "low" ? fund : `${fund} if its balance is too low`] };
}

/** Returns the outlook for an unreachable node, without the balance, which the node would report (facts 16.6). */
function afterNode({ network, network_type: kind, custom_rpc_urls: own }: Relayer, flags: readonly string[]) {
  if (Array.isArray(own) && own.length > 0) return { next: [AGAIN, OWN_URLS] };
  if (!network || !kind) return { next: [AGAIN] };
  return {
    next: [AGAIN],
    remedy: [...flags, "networks", "update", networkId(kind, network), "--rpc-url", "URL"],
  };
}

export function disabledRefusal(relayer: Relayer, flags: readonly string[]): { because: string[]; hint: string } {
  const { why, next, remedy } = describeDisabledRecovery(relayer, flags);
  const hint = remedy ?? [...flags, "relayers", "status", relayer.id];
  return { because: [`disabled by the service: ${why}`, ...next], hint: commandLine(...hint) };
}

/** Returns the outlook in one line: `RPC validation failed: the service tries again …; replace … URLs: …`. */
export function disabledRecoveryLine({ why, next, remedy }: Recovery): string {
  const steps = [
    ...next,
    ...(remedy === undefined ? [] : [`replace the network's RPC URLs: ${commandLine(...remedy)}`]),
  ];
  return [why, ...(steps.length > 0 ? [steps.join("; ")] : [])].join(": ");
}

/** Refuses an idle relayer in the service's order: pause before disabled (facts 4.2). @throws RelayctlError conflict */
export function refuseDisabledOrPaused(relayer: Relayer, flags: readonly string[]): void {
  const { id, paused, system_disabled: disabled } = relayer;
  if (!paused && !disabled) return;
  if (paused) {
    const hint = commandLine(...flags, "relayers", "resume", id);
    throw new RelayctlError("conflict", "Relayer paused", {
      because: ["nothing was sent; resume the relayer first"],
      retryable: true,
      hint,
    });
  }
  const { because, hint } = disabledRefusal(relayer, flags);
  throw new RelayctlError("conflict", "Relayer disabled", {
    because: [...because, "nothing was sent; the relayer must be enabled first"],
    retryable: true,
    hint,
  });
}
