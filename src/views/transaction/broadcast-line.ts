import type { Accepted, Broadcast } from "../../chain/replacement/broadcast.ts";
import { mostPerGas } from "../../chain/replacement/fees.ts";
import { formatAmount } from "../../contract/amount.ts";
import { GAS_PRICE } from "../../contract/currency.ts";
import { statusOf } from "../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../errors.ts";

export const NOUNS = { replace: "replacement", cancel: "cancellation" };

/** Returns the error of following that was cut short. @param noun `the bump` @param hint how to follow further */
export function followingStopped(error: RelayctlError, noun: string, hint: string): RelayctlError {
  const because = [`${noun} was accepted; whether it is on its way is not known yet`];
  return new RelayctlError(error.failure, error.message, { applied: "yes", because, hint, cause: error });
}

/** Returns what became of an accepted change within seconds. */
export function broadcastLine(broadcast: Broadcast, { before, change }: Pick<Accepted, "before" | "change">): string {
  switch (broadcast.state) {
    case "on_its_way": {
      const { hash, fees, block, seenBy } = broadcast;
      const price = fees ? ` at ${formatAmount(mostPerGas(fees), GAS_PRICE)}` : "";
      if (block !== undefined) return `mined in block ${block} as ${hash}${price}`;
      return `on its way as ${hash}${price}${seenBy === "record" ? " (by the record: no node could be asked)" : ""}`;
    }
    case "over": {
      const { mined, record } = broadcast;
      if (mined === undefined) return `the transaction is ${statusOf(record)} now`;
      const isEarlier = mined === before.hash?.toLowerCase();
      return `warning: ${isEarlier ? "the original" : "another version"} was mined: ${mined}`;
    }
    case "never_broadcast": {
      const { instead } = broadcast;
      const more = instead === undefined ? "" : `: ${instead} will be mined instead`;
      return `warning: the ${NOUNS[change]} is never broadcast${more}`;
    }
    case "unknown":
      return ["note: whether it is broadcast is not known yet", ...broadcast.why].join(": ");
  }
}
