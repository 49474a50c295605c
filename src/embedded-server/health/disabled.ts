import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { kindOf } from "../relayer-kind.ts";
import type { Resource } from "../state/collection.ts";

const RPC = { type: "RpcValidationFailed", details: "RPC endpoint validation failed" };
const BALANCE = { type: "BalanceCheckFailed", details: "Insufficient balance" };

/** The reasons that each kind's checks give if no node responds (facts 4.2; recorded for EVM). */
const REASONS: Readonly<Record<NetworkKind, readonly JsonObject[]>> = {
  evm: [{ type: "NonceSyncFailed", details: "Nonce synchronization failed" }, RPC, BALANCE],
  solana: [RPC, BALANCE],
  stellar: [{ type: "SequenceSyncFailed", details: "Sequence synchronization failed" }, RPC, BALANCE],
};

/** Returns a relayer as disabled by the service, since its nodes cannot be reached. */
export function disabledRelayer(relayer: Resource): Resource {
  const details = REASONS[kindOf(relayer)].map((reason) => ({ ...reason }));
  return { ...relayer, system_disabled: true, disabled_reason: { type: "Multiple", details } };
}

/** Returns the relayer enabled again. */
export function enabledRelayer({ disabled_reason: _, ...relayer }: Resource): Resource {
  return { ...relayer, id: relayer.id, system_disabled: false };
}
