import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { bumpWithRaisedCap, followBump, sendBump } from "../../../chain/bump/send-bump.ts";
import type { Target } from "../../../chain/follow/followed.ts";
import type { Broadcast } from "../../../chain/replacement/broadcast.ts";
import { verdictVersion } from "../../../chain/verdict/verdict.ts";
import type { ApiResult } from "../../../client/request.ts";
import { relayerCoinSymbol } from "../../../coins/coin-symbol.ts";
import { writeNotes, writeWithHint } from "../../../command-support/prepared-write.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import { isPositive, WEI } from "../../../contract/amount.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError, unsentError } from "../../../errors.ts";
import { type Message, messageWithPrefix } from "../../../message.ts";
import { gasCapText } from "../../../recovery/restore-cap.ts";
import { sendExclusively } from "../../../session/journaling/exclusive-send.ts";
import { knownHashes } from "../../../session/journaling/known-hashes.ts";
import { receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { OneView } from "../../../terminal/view.ts";
import { broadcastHashLine, hashFacts, hashKept, withHashInError } from "../../../views/transaction/hashes.ts";
import { transactionViewIn } from "../../../views/transaction/record.ts";
import { predictionObstacleWords } from "../replacement/prediction-words.ts";
import { followShownBroadcast } from "../replacement/show-broadcast.ts";
import type { BumpPlan } from "./flags.ts";
import { firstBumpRefusal, foreseeBumpAgain } from "./refusal.ts";

export interface Bumped extends ApiResult<Transaction> {
  bump: ForeseenBump;
  broadcast: Broadcast;
  /** Set if it will not be broadcast, or that is unknown. */
  failure: RelayctlError | undefined;
}

export interface BumpSending extends BumpPlan {
  session: Session;
  /** Whether several transactions are bumped, so that each line needs its ID. */
  isOneOfMany: boolean;
}

async function bumpNow(bump: ForeseenBump, sending: BumpSending): Promise<Bumped> {
  const { relayerId, record, request } = bump;
  const { session } = sending;
  const readCommand = commandLine(...session.flags, "tx", "get", relayerId, record.id);
  const { all: hashes } = await knownHashes(session, record.id);
  const sent = sendExclusively(session, { relayerId, id: record.id }, () => sendBump(session.client, bump));
  const result = await writeWithHint(withHashInError(sent, record), readCommand);
  const prefix = sending.isOneOfMany ? `${record.id}: ` : "";
  const isCancellation = request.change === "cancel";
  const facts = hashFacts(record, result.data, isCancellation ? "the no-op" : "the replacement");
  const accepted = receiptWords[isCancellation ? "cancellation" : "replaced"](session.name, facts, prefix);
  const kept = sending.isOneOfMany ? [] : hashKept(session, record);
  const notes = writeNotes(result, prefix);
  await sayReceipt(session.say, [...notes, accepted, ...kept]);
  const usesChain = sending.wait?.usesChain ?? true;
  const broadcast = await followShownBroadcast(session, { relayerId, id: record.id, noun: "the bump" }, (reads) =>
    followBump(bump, result.data, { ...reads, hashes, usesChain }),
  );
  for (const line of bumpedLine(bump, broadcast, result.data)) await session.say(messageWithPrefix(prefix, line));
  return { ...result, bump, broadcast, failure: broadcastFailure(bump, broadcast, session.flags) };
}

function bumpedLine({ record, request }: ForeseenBump, broadcast: Broadcast, after: Transaction): Message[] {
  if (broadcast.state === "never_broadcast" || broadcast.state === "unknown") return [];
  const isEarlier = broadcast.state === "over" && broadcast.mined?.toLowerCase() === record.hash?.toLowerCase();
  // Both versions send the same, and only cost differently.
  if (isEarlier && request.change === "replace") return [`mined before the bump was sent, as ${broadcast.mined}`];
  return [broadcastHashLine(broadcast, { before: record, change: request.change, after })];
}

function broadcastFailure(
  { relayerId, record, request, question: { cap } }: ForeseenBump,
  broadcast: Broadcast,
  session: readonly string[],
): RelayctlError | undefined {
  const { id } = record;
  const line = (verb: string, ...flags: string[]) => commandLine(...session, "tx", verb, relayerId, id, ...flags);
  if (broadcast.state === "unknown") {
    const because = broadcast.why.length > 0 ? broadcast.why : ["no node knows it yet"];
    const words = `the bump of ${id} was accepted, but it is not known whether it is on its way`;
    return new RelayctlError("pending", words, { applied: "yes", retryable: false, because, hint: line("wait") });
  }
  if (broadcast.state !== "never_broadcast") return undefined;
  const { obstacle, instead } = broadcast;
  const words = predictionObstacleWords({ change: request.change, cap, now: undefined }, obstacle, WEI);
  return new RelayctlError("unmet", `never broadcast: ${words ?? "the service sends nothing"}`, {
    applied: "yes",
    retryable: false,
    details: [{ where: `${relayerId}/${id}`, given: "never_broadcast", rule: words ?? obstacle.kind }],
    because: instead === undefined ? [] : [`what will be mined instead: ${instead}`],
    hint: obstacle.kind === "cap" ? line("cancel") : line("wait"),
  });
}

/** Raises the cap for a moment if needed. @throws with what was `applied`; partial if the cap stays raised */
export async function bumpOne(planned: ForeseenBump, sending: BumpSending): Promise<Bumped> {
  // The market may have moved since the question, or while an earlier bump was followed.
  if (!planned.raisedCap)
    return await bumpNow(sending.maxFee === undefined ? planned : await clearNow(planned, sending, true), sending);
  const { isKept = false, left } = sending.raising ?? {};
  // An earlier bump of the same command may have left the cap raised.
  const bump = isKept ? bumpWithRaisedCap(await foreseenNow(planned, sending), sending.maxFee) : planned;
  const { relayerId, raisedCap } = bump;
  if (!raisedCap) return await bumpNow(await clearNow(bump, sending), sending);
  const was = left?.get(relayerId);
  if (isKept && was !== undefined && was !== raisedCap.from) throw setByOther(relayerId, raisedCap.from);
  const { runWithRaisedCap } = await import("../../../recovery/with-raised-cap.ts");
  return await runWithRaisedCap(
    sending.session,
    { relayerId, ...raisedCap, isKept },
    {
      run: async () => {
        left?.set(relayerId, raisedCap.to);
        return await bumpNow(await clearNow(bump, sending), sending);
      },
      wordsOf: ({ broadcast, failure }) =>
        failure?.message ??
        `the bump of ${planned.record.id} was accepted; its state is ${broadcast.state.replaceAll("_", " ")}`,
    },
  );
}

function setByOther(relayerId: string, cap: bigint): RelayctlError {
  const words = `gas_price_cap of ${relayerId} was changed to ${gasCapText(cap)} after this run raised it, and was kept`;
  return new RelayctlError("conflict", words, { because: ["the bump was not sent"], retryable: false });
}

async function foreseenNow(bump: ForeseenBump, sending: BumpSending): Promise<ForeseenBump> {
  const { relayerId, record } = bump;
  const found = await foreseeBumpAgain(sending.session, sending, { relayerId, id: record.id, record });
  if (found) return found;
  throw unsentError("conflict", `transaction ${record.id} cannot be bumped anymore`, { retryable: false });
}

async function clearNow(bump: ForeseenBump, sending: BumpSending, isForced = false): Promise<ForeseenBump> {
  const now = await foreseenNow(bump, sending);
  const { flags } = sending.session;
  const refusal = firstBumpRefusal(now, { session: flags, maxFee: sending.maxFee }, isForced);
  if (!refusal) return now;
  throw new RelayctlError(refusal.failure, refusal.words, {
    because: ["the bump was not sent"],
    hint: commandLine(...flags, "tx", "get", bump.relayerId, bump.record.id),
    retryable: false,
  });
}

export async function bumpView(
  session: Session,
  bumped: Bumped,
  { isFollowed, drawsAmounts }: { isFollowed: boolean; drawsAmounts: boolean },
): Promise<OneView> {
  const { bump, broadcast, body, failure } = bumped;
  const { record } = broadcast;
  const symbol =
    drawsAmounts && isPositive(record.value) ? await relayerCoinSymbol(session, bump.relayerId, undefined) : undefined;
  const shown: OneView = {
    kind: "one",
    resource: transactionViewIn(() => symbol),
    value: record,
    body,
    isChange: true,
    receipt: [],
  };
  if (isFollowed) return shown;
  const next = [{ follow: commandLine(...session.flags, "tx", "wait", bump.relayerId, record.id) }];
  return failure ? { ...shown, failure } : { ...shown, next };
}

export function followedBump({ bump, broadcast, data }: Bumped): Target {
  const { relayerId, record, request } = bump;
  const version = verdictVersion(data) ?? verdictVersion(record);
  const wanted = request.change === "cancel" ? "cancellation" : version;
  return { relayerId, id: record.id, records: [record, data, broadcast.record], wanted };
}
