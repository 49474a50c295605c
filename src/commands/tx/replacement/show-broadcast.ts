import { type Accepted, awaitBroadcast, type Broadcast } from "../../../chain/replacement/broadcast.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { rescue } from "../../../errors.ts";
import { knownHashes } from "../../../session/journaling/known-hashes.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { OneView, View } from "../../../terminal/view.ts";
import { DEFAULT_TIMEOUT } from "../../../timing.ts";
import { broadcastHashLine, hashWaitError, NOUNS } from "../../../views/transaction/hashes.ts";

export type Followable = Pick<Accepted, "relayerId" | "change" | "before" | "node" | "cap" | "isUnraised">;

/** Waits up to 15 s for the record: the response's hash is rarely sent (facts 16.2). @throws interrupted */
export async function showBroadcast(session: Session, view: View, followable: Followable): Promise<View> {
  if (view.kind !== "one" || view.receipt === undefined) return view;
  await sayReceipt(session.say, view.receipt);
  const broadcast = await readBroadcast(session, view, followable);
  await session.say(broadcastHashLine(broadcast, { ...followable, after: view.value as Transaction }));
  // An empty receipt keeps an output that fails from hiding that the write was applied.
  return { ...view, value: broadcast.record, receipt: [] };
}

async function readBroadcast(session: Session, { value }: OneView, followable: Followable): Promise<Broadcast> {
  const { relayerId, before, change } = followable;
  const { all: hashes } = await knownHashes(session, before.id);
  const accepted = { relayerId, id: before.id, noun: `the ${NOUNS[change]}` };
  return await followShownBroadcast(session, accepted, (reads) =>
    awaitBroadcast({ ...followable, ...reads, hashes, after: value as Transaction }),
  );
}

export async function followShownBroadcast(
  session: Session,
  { relayerId, id, noun }: { relayerId: string; id: string; noun: string },
  follow: (reads: Pick<Accepted, "client" | "clock" | "interrupt">) => Promise<Broadcast>,
): Promise<Broadcast> {
  const { clock, interrupt } = session;
  return await rescue(follow({ client: session.briefly(DEFAULT_TIMEOUT), clock, interrupt }), (error) => {
    throw hashWaitError(error, noun, commandLine(...session.flags, "tx", "wait", relayerId, id));
  });
}
