import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { followBump, sendBump } from "../../../chain/bump/send-bump.ts";
import type { Broadcast } from "../../../chain/replacement/broadcast.ts";
import type { ApiResult } from "../../../client/api-result.ts";
import type { Client } from "../../../client/client.ts";
import { sendAlone } from "../../../command-support/journaling/alone.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import { receiptOf, withHint } from "../../../command-support/receipt.ts";
import { WEI } from "../../../contract/currency.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import { knownHashes } from "../../../session/journaling/known-hashes.ts";
import { receiptWords } from "../../../session/receipt-words.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { DEFAULT_TIMEOUT } from "../../../timing.ts";
import { broadcastLine, followingStopped } from "../../../views/transaction/broadcast-line.ts";
import { hashesText, hashKept, namingHash } from "../../../views/transaction/hashes.ts";
import type { Call } from "../../command.ts";
import { obstacleWords } from "../replacement/prediction-words.ts";
import type { WaitPlan } from "../wait/flags.ts";
import type { BumpPlan } from "./flags.ts";

export interface Bumped extends ApiResult<Transaction> {
  bump: ForeseenBump;
  broadcast: Broadcast;
  /** Set if it will not be broadcast, or if that is not known yet. */
  failure: RelayctlError | undefined;
}

export interface BumpSending extends Pick<BumpPlan, "speed" | "maxFee" | "raising" | "wait"> {
  client: Client;
  /** Whether several transactions are bumped, so that each line needs its ID. */
  isOneOfMany: boolean;
}

/**
 * Bumps one transaction as it was predicted: sends the request, prints the receipt, and waits until it is known
 * whether the new version is on its way.
 * @throws RelayctlError whose `applied` says whether the request took effect
 */
export async function bumpNow(call: Call, bump: ForeseenBump, sending: BumpSending): Promise<Bumped> {
  const { relayerId, record, request } = bump;
  const session = await call.session();
  const readCommand = commandLine(...session.flags, "tx", "get", relayerId, record.id);
  const { all: hashes } = await knownHashes(session, record.id);
  const sent = sendAlone(call, { relayerId, id: record.id }, () => sendBump(sending.client, bump));
  const result = await withHint(namingHash(sent, record), readCommand);
  const prefix = sending.isOneOfMany ? `${record.id}: ` : "";
  const isCancellation = request.change === "cancel";
  const texts = hashesText(record, result.data, isCancellation ? "the no-op" : "the replacement");
  const accepted = receiptWords[isCancellation ? "cancellation" : "replaced"](session.name, texts);
  const kept = sending.isOneOfMany ? [] : hashKept(session, record);
  const receipt = receiptOf(result, [accepted, ...kept]);
  await sayReceipt(
    call.say,
    receipt.map((line) => `${prefix}${line}`),
  );
  const broadcast = await followed(call, bump, { after: result.data, hashes, wait: sending.wait });
  const line = bumpedLine(bump, broadcast);
  if (line !== undefined) await call.say(`${prefix}${line}`);
  return { ...result, bump, broadcast, failure: broadcastFailure(bump, broadcast, session.flags) };
}

interface Following {
  after: Transaction;
  hashes: readonly string[];
  wait: WaitPlan | undefined;
}

async function followed(call: Call, bump: ForeseenBump, { after, hashes, wait }: Following): Promise<Broadcast> {
  const { clock, interrupt } = call.app;
  const session = await call.session();
  const client = session.briefly(DEFAULT_TIMEOUT);
  try {
    return await followBump(bump, after, { client, clock, interrupt, hashes, usesChain: wait?.usesChain ?? true });
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const { relayerId, record } = bump;
    throw followingStopped(error, "the bump", commandLine(...session.flags, "tx", "wait", relayerId, record.id));
  }
}

/** Returns what became of a bump that did not fail; undefined if only its failure says it. */
function bumpedLine({ record, request }: ForeseenBump, broadcast: Broadcast): string | undefined {
  if (broadcast.state === "never_broadcast" || broadcast.state === "unknown") return undefined;
  const isEarlier = broadcast.state === "over" && broadcast.mined?.toLowerCase() === record.hash?.toLowerCase();
  // Both versions send the same: only what was paid differs.
  if (isEarlier && request.change === "replace") return `mined before the bump was sent, as ${broadcast.mined}`;
  return broadcastLine(broadcast, { before: record, change: request.change });
}

/** Returns the error of a bump that will not be broadcast, or of which that is not known. */
function broadcastFailure(
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
