import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { kindOf } from "../relayer-kind.ts";
import type { Resource } from "../state/collection.ts";

const RPC = { type: "RpcValidationFailed", details: "RPC endpoint validation failed" };
const BALANCE = { type: "BalanceCheckFailed", details: "Insufficient balance" };

/** What each kind's checks find if no node responds (facts 4.2; recorded for EVM). */
const REASONS: Readonly<Record<NetworkKind, readonly JsonObject[]>> = {
  evm: [{ type: "NonceSyncFailed", details: "Nonce synchronization failed" }, RPC, BALANCE],
  solana: [RPC, BALANCE],
  stellar: [{ type: "SequenceSyncFailed", details: "Sequence synchronization failed" }, RPC, BALANCE],
};

/** A relayer that the service has disabled, since its nodes cannot be reached. */
export function disabledRelayer(relayer: Resource): Resource {
  const details = REASONS[kindOf(relayer)].map((reason) => ({ ...reason }));
  return { ...relayer, system_disabled: true, disabled_reason: { type: "Multiple", details } };
}

/** The same once they can. */
export function enabledRelayer({ disabled_reason: _, ...relayer }: Resource): Resource {
  return { ...relayer, id: relayer.id, system_disabled: false };
}
