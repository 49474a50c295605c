import type { Target } from "../../../chain/follow/followed.ts";
import { needsChain } from "../../../chain/follow/goal.ts";
import { hasFinalBlock } from "../../../chain/follow/relayer-chain.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { versionOf } from "../../../chain/verdict/version.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { usageError } from "../../../errors.ts";
import type { OneView, View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { WaitPlan } from "./flags.ts";
import { formOf } from "./reporters.ts";

/** A write of one transaction that was applied, or that was not needed. */
export interface Written {
  relayerId: string;
  plan: WaitPlan;
  /** The record from before the write. */
  before: Transaction | undefined;
  isCancellation: boolean;
}

/**
 * Follows the transaction of a write, after its receipt was printed.
 * @param view what the write would print without a wait
 */
export async function followWrite(call: Call, view: View, written: Written): Promise<View> {
  if (view.kind !== "one") return view;
  const { endingView, waitFor } = await import("./wait-for.ts");
  const { receipt, next, ...shown } = view;
  const wrote = receipt !== undefined;
  for (const line of receipt ?? []) await call.say(line);
  const ended = await waitFor(call, { targets: [targetOf(shown, written)], plan: written.plan, wrote });
  const { standings, failure } = ended;
  if (formOf(call) !== "notes") return await endingView(call, ended);
  const record = standings[0]?.record ?? shown.value;
  // An empty receipt keeps an output that fails from hiding that the write was applied.
  return { ...shown, value: record, ...(wrote && { receipt: [] }), ...(failure && { failure }) };
}

function targetOf({ value }: OneView, { relayerId, before, isCancellation }: Written): Target {
  const after = value as Transaction;
  const records = before && before.id === after.id ? [before, after] : [after];
  return { relayerId, id: after.id, records, wanted: isCancellation ? "cancellation" : versionOf(after) };
}

/**
 * Throws if what a wait asks for cannot be reached, before anything is sent.
 * @throws RelayctlError usage
 */
export async function requireReachable(call: Call, relayerId: string, { goal, nodeUrl: url }: WaitPlan): Promise<void> {
  if (!needsChain(goal)) return;
  const session = await call.session();
  const ownNode = (network: string | undefined) => session.ownNode(network, { url });
  const chain = await openChain({ client: session.client, relayerId, ownNode });
  const kind = chain.relayer?.network_type;
  const where = goal.until === "final" ? "--for" : "--confirmations";
  if (kind !== undefined && kind !== "evm")
    throw usageError([{ where, rule: `${relayerId} is not an EVM relayer: only its records count` }]);
  if (goal.until === "final") await hasFinalBlock(chain, call.app.clock.now());
}
