import { predict } from "../../../chain/replacement/predict.ts";
import { WEI } from "../../../contract/currency.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import { PRICES, type Transaction } from "../../../contract/transaction/transaction.ts";
import type { NamedCoin } from "../../coins/named-coins.ts";
import type { Call } from "../../command.ts";
import { validateByRelayer } from "../relayer-check.ts";
import type { Earlier, Target } from "../transaction-write.ts";
import { type ForceFlag, refuseUnlessForced } from "./refuse-obstacle.ts";

/** A replacement, with the transaction that it replaces. */
export interface Replaced {
  relayerId: string;
  body: JsonObject;
  kind: NetworkKind | undefined;
  sourceOf(path: string): string;
  /** The coins typed as units. */
  coins: readonly NamedCoin[];
}

/**
 * Refuses before sending what the service would refuse: a pause, another network, a receiver that is not on the
 * relayer's list, a price above its cap, a fee payer that is not the relayer, a transaction without a price.
 */
export async function preflight(
  call: Call<ForceFlag>,
  replaced: Replaced & Target,
  { data: before, state, relayer }: Earlier,
): Promise<void> {
  const { kind = "evm" } = replaced;
  if (state.cancellation === "stands")
    await call.say(
      "note: the cancellation is in progress: a replacement takes its place, and the transfer is live again",
    );
  const { flags } = await call.session();
  if (relayer) validateByRelayer(relayer, { ...replaced, kind }, flags);
  if (!relayer) await call.say("note: this service cannot return a single relayer; its policies are unknown");
  if (kind === "evm" && state.status === "pending" && hasNoPrice(before)) {
    const prediction = predict({ record: before, change: "replace", isUnraised: false });
    const isKnown = isServiceRecord(before, "evm");
    await refuseUnlessForced(call, {
      prediction,
      obstacle: { kind: "unpriced" },
      coin: WEI,
      target: replaced,
      isKnown,
    });
  }
}

/**
 * Returns whether the transaction has no price yet: the service rejects its replacement, typically while it is pending
 * (facts 5.4).
 */
function hasNoPrice(transaction: Transaction): boolean {
  return PRICES.every((price) => (transaction[price] ?? null) === null);
}
