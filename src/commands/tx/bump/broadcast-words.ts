import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import type { Broadcast } from "../../../chain/replacement/broadcast.ts";
import { mostPerGas } from "../../../chain/replacement/fees.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { GAS_PRICE, WEI } from "../../../contract/currency.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import { obstacleWords } from "../replacement/prediction-words.ts";

/** Returns what became of a bump that did not fail; undefined if only its failure says it. */
export function broadcastLine({ record }: ForeseenBump, broadcast: Broadcast): string | undefined {
  switch (broadcast.state) {
    case "on_its_way": {
      const { hash, fees, block, seenBy } = broadcast;
      const price = fees ? ` at ${formatAmount(mostPerGas(fees), GAS_PRICE)}` : "";
      if (block !== undefined) return `mined in block ${block} as ${hash}${price}`;
      return `on its way as ${hash}${price}${seenBy === "record" ? " (by the record: no node could be asked)" : ""}`;
    }
    case "over": {
      const { mined } = broadcast;
      if (mined === undefined) return `the transaction is ${statusOf(broadcast.record)} now`;
      const isEarlier = mined.toLowerCase() === String(record.hash).toLowerCase();
      return `mined as ${mined}${isEarlier ? ", the version from before the bump" : ""}`;
    }
    default:
      return undefined;
  }
}

/** Returns the error of a bump that will not be broadcast, or of which that is not known. */
export function broadcastFailure(
  { relayerId, record, request, question: { cap } }: ForeseenBump,
  broadcast: Broadcast,
  session: readonly string[],
): RelayctlError | undefined {
  const { id } = record;
  const line = (verb: string, ...flags: string[]) => commandLine(...session, "tx", verb, relayerId, id, ...flags);
  if (broadcast.state === "unknown") {
    const because = broadcast.why.length > 0 ? broadcast.why : ["no node knows it yet"];
    return new RelayctlError(
      "pending",
      `the bump of ${id} was accepted, but it is not known whether it is on its way`,
      {
        applied: "yes",
        retryable: false,
        because,
        hint: line("wait"),
      },
    );
  }
  if (broadcast.state !== "never_broadcast") return undefined;
  const { obstacle, instead } = broadcast;
  const words = obstacleWords({ change: request.change, cap, now: undefined }, obstacle, WEI);
  return new RelayctlError("unmet", `never broadcast: ${words ?? "the service sends nothing"}`, {
    applied: "yes",
    retryable: false,
    details: [{ where: `${relayerId}/${id}`, given: "never_broadcast", rule: words ?? obstacle.kind }],
    because: instead === undefined ? [] : [`what will be mined instead: ${instead}`],
    hint: obstacle.kind === "cap" ? line("cancel") : line("wait"),
  });
}
