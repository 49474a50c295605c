import type { Client } from "../../client/client.ts";
import type { ApiResult } from "../../client/request.ts";
import { respellForRecord } from "../../client/respell.ts";
import { wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { leastReplacementPrice, type Replacement } from "../../contract/transaction/replacement-price.ts";
import {
  isPending,
  isTxBeingCanceled,
  PRICES,
  type Transaction,
  txStatus,
} from "../../contract/transaction/transaction.ts";
import { RelayctlError, unsentError } from "../../errors.ts";
import { type Accepted, awaitBroadcast, type Broadcast } from "../replacement/broadcast.ts";
import { predictReplacement } from "../replacement/predict.ts";
import type { ForeseenBump } from "./foresee-bump.ts";

/** Sends a bump once, unless the transaction changed since it was read. @throws RelayctlError conflict if it did */
export async function sendBump({ tx }: Pick<Client, "tx">, bump: ForeseenBump): Promise<ApiResult<Transaction>> {
  const { relayerId, record, request } = bump;
  const { data: newest } = await tx.get(relayerId, record.id);
  refuseBumpOfChanged(record, newest);
  const facts = { before: newest, kind: "evm" } as const;
  if (request.change === "cancel") return await tx.cancel(relayerId, record.id, facts);
  const { body } = respellForRecord({ operation: operations["tx.replace"], body: request.body }, newest);
  return await tx.replace(relayerId, record.id, body as unknown as Replacement, facts);
}

const DECIDING = ["hash", "nonce", "to", "value", "data", "gas_limit", ...PRICES];

/** @throws RelayctlError conflict if what decides has changed since the transaction was read */
export function refuseBumpOfChanged(before: Transaction, newest: Transaction, deciding = DECIDING): void {
  const { id } = before;
  if (!isPending(newest))
    throw unsentError("conflict", `transaction ${id} is already ${txStatus(newest)}`, { retryable: false });
  const changed = deciding.filter((key) => amountText(before[key]) !== amountText(newest[key]));
  if (isTxBeingCanceled(before) !== isTxBeingCanceled(newest)) changed.push("is_canceled");
  if (changed.length === 0) return;
  throw new RelayctlError("conflict", `transaction ${id} has changed since it was read: ${changed.join(", ")}`, {
    because: ["another run or the service itself was faster; nothing was sent"],
    retryable: true,
  });
}

function amountText(value: JsonValue | undefined): string {
  return String(wireAmount(value) ?? value ?? "");
}

export interface BumpFollowing extends Pick<Accepted, "client" | "clock" | "interrupt"> {
  hashes?: readonly string[] | undefined;
  usesChain?: boolean;
}

/** Waits up to 15 seconds for the broadcast of an accepted bump. @throws RelayctlError interrupted */
export async function followBump(
  { relayerId, record, request, question, surroundings, isKnown }: ForeseenBump,
  after: Transaction,
  { client, clock, interrupt, hashes, usesChain = true }: BumpFollowing,
): Promise<Broadcast> {
  return await awaitBroadcast({
    ...{ client, relayerId, change: request.change, before: record, after, hashes, clock, interrupt },
    node: usesChain ? surroundings.chain.node : undefined,
    cap: isKnown ? question.cap : undefined,
    isUnraised: isKnown && question.isUnraised,
  });
}

/**
 * Returns a bump with a cap a tenth above the least that lets it be broadcast, if only the cap is in the way (facts
 * 15.1); otherwise the bump as it is. An unknown service may price like the known one.
 * @param most wei per gas above which the cap is not raised
 */
export function bumpWithRaisedCap(bump: ForeseenBump, most: bigint | undefined): ForeseenBump {
  const { obstacle } = bump.prediction;
  const { cap: from } = bump.question;
  if (obstacle?.kind !== "cap" || from === undefined) return bump;
  // --force never overrides the most.
  if (most !== undefined && most < obstacle.needed) return bump;
  const enough = leastReplacementPrice(obstacle.needed);
  const to = most !== undefined && most < enough ? most : enough;
  const question = { ...bump.question, cap: to };
  const prediction = predictReplacement(question);
  return prediction.obstacle ? bump : { ...bump, question, prediction, raisedCap: { from, to } };
}
