import { awaitBroadcast } from "../../../chain/replacement/await-broadcast.ts";
import type { Accepted, Broadcast } from "../../../chain/replacement/broadcast.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { recover } from "../../../errors.ts";
import { knownHashes } from "../../../session/journaling/known-hashes.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { OneView, View } from "../../../terminal/view.ts";
import { DEFAULT_TIMEOUT } from "../../../timing.ts";
import { broadcastLine, followingStopped, NOUNS } from "../../../views/transaction/hashes.ts";
import type { Call } from "../../command.ts";

export type Followable = Pick<Accepted, "relayerId" | "change" | "before" | "node" | "cap" | "isUnraised">;

/**
 * Prints the receipt, waits for at most 15 seconds until it is known whether an accepted change is broadcast, and
 * returns the newest record: the hash in the response is hardly ever the one that is sent (facts 16.2).
 * @param view what the command would print at once
 * @throws RelayctlError interrupted, with the change applied
 */
export async function showBroadcast(call: Call, view: View, followable: Followable): Promise<View> {
  if (view.kind !== "one" || view.receipt === undefined) return view;
  await sayReceipt(call.say, view.receipt);
  const broadcast = await readBroadcast(call, view, followable);
  await call.say(broadcastLine(broadcast, { ...followable, after: view.value as Transaction }));
  // An empty receipt keeps an output that fails from hiding that the write was applied.
  return { ...view, value: broadcast.record, receipt: [] };
}

async function readBroadcast(call: Call, { value }: OneView, followable: Followable): Promise<Broadcast> {
  const { clock, interrupt } = call.app;
  const session = await call.session();
  const { all: hashes } = await knownHashes(session, followable.before.id);
  const reads = { client: session.briefly(DEFAULT_TIMEOUT), hashes, clock, interrupt };
  return await recover(awaitBroadcast({ ...followable, ...reads, after: value as Transaction }), (error) => {
    const { relayerId, before, change } = followable;
    const waiting = commandLine(...session.flags, "tx", "wait", relayerId, before.id);
    throw followingStopped(error, `the ${NOUNS[change]}`, waiting);
  });
}
