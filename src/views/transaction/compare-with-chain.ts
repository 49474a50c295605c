import { type ChainNode, type NodeFault, type Reading, readFromNode, relayerNode } from "../../chain/node/node.ts";
import type { HashFacts } from "../../chain/verdict/verdict.ts";
import type { Client } from "../../client/client.ts";
import { compareFields, type Difference } from "../../client/read-back/compare.ts";
import { currencyOf, wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, listIn, objectIn } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { PRICES, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { type Problem, problemText, RelayctlError } from "../../errors.ts";
import type { Ending } from "../../terminal/view.ts";
import { shownBodyField } from "./body-rows.ts";

function stellarRecord(node: ChainNode, hash: string): Promise<Reading<ChainRecord>> {
  return readFromNode(node, "getTransaction", { hash }, (found) => {
    if (!isJsonObject(found) || !["SUCCESS", "FAILED"].includes(String(found.status))) return UNKNOWN;
    const place = `ledger ${wireAmount(found.ledger) ?? "unknown"}`;
    return { state: "mined", failed: found.status === "FAILED", place, fields: {} };
  });
}

/** Reads Solana's `getSignatureStatuses`. A signature that is only processed may still be dropped. */
function solanaRecord(node: ChainNode, signature: string): Promise<Reading<ChainRecord>> {
  const params = [[signature], { searchTransactionHistory: true }];
  return readFromNode(node, "getSignatureStatuses", params, (statuses) => {
    const found = listIn(objectIn(statuses).value)[0];
    if (!isJsonObject(found)) return UNKNOWN;
    const failed = (found.err ?? null) !== null;
    const state = found.confirmationStatus === "processed" ? "waiting" : "mined";
    return { state, failed, place: `slot ${wireAmount(found.slot) ?? "unknown"}`, fields: {} };
  });
}

const UNKNOWN: ChainRecord = { state: "unknown", fields: {} };

type OtherKind = Exclude<NetworkKind, "evm">;

const CHAIN_RECORDS: Record<OtherKind, (node: ChainNode, hash: string) => Promise<Reading<ChainRecord>>> = {
  solana: solanaRecord,
  stellar: stellarRecord,
};

/** A failure ends the command after the record is printed. */
export async function compareWithChain(
  { relayers }: Pick<Client, "relayers">,
  relayerId: string,
  transaction: Transaction,
  kind: OtherKind,
): Promise<Ending> {
  const hash = recordedHash(transaction);
  if (hash === undefined) return { failure: noHashToCompare() };
  const found = await CHAIN_RECORDS[kind](relayerNode(relayers, relayerId), hash);
  if ("fault" in found) return { failure: notComparedWithChain(found.fault) };
  const differences = differencesOf(transaction, found.value, undefined);
  const notes = [`chain: ${hash} ${comparedChainText(found.value)}`];
  return { notes, ...(differences.length > 0 && { failure: differsFromChain(differences) }) };
}

export function notComparedWithChain({ words, cause }: NodeFault, details: readonly Problem[] = []): RelayctlError {
  return cause ?? new RelayctlError("pending", `the chain could not be checked: ${words}`, { details });
}

export function noHashToCompare(): RelayctlError {
  return new RelayctlError("unmet", "the record has no hash to look up on the chain");
}

function recordedHash({ hash, signature }: Transaction): string | undefined {
  if (typeof hash === "string" && hash !== "") return hash;
  return typeof signature === "string" && signature !== "" ? signature : undefined;
}

export function comparedChainText({ state, place, failed }: ChainRecord): string {
  if (state === "unknown") return "is not known to the node";
  if (state === "waiting") return "waits to be mined";
  return `was mined in ${place ?? "an unknown place"}${failed ? " and failed" : ""}`;
}

export function differsFromChain(details: readonly Problem[]): RelayctlError {
  const [only, ...more] = details.map(problemText);
  return new RelayctlError("mismatch", "the record and the chain differ", {
    details,
    // A single problem is not listed below its error.
    because: only !== undefined && more.length === 0 ? [only] : [],
  });
}

const COMPARED = ["from", "to", "value", "data", "nonce", "gas_limit", ...PRICES];

export function differencesOf(transaction: Transaction, chain: ChainRecord, symbol: string | undefined): Problem[] {
  const status = stateRule(txStatus(transaction), chain);
  const statusDifference =
    status === undefined ? [] : [{ where: "status", given: txStatus(transaction), rule: status }];
  return chain.state === "unknown"
    ? statusDifference
    : [...statusDifference, ...fieldDifferences(transaction, chain, symbol)];
}

/** Returns the contradiction between states. A record that lags will catch up, and doesn't count. */
function stateRule(status: string, { state, failed }: ChainRecord): string | undefined {
  const isDone = status === "mined" || status === "confirmed";
  if (state === "unknown")
    return isDone || status === "submitted" ? "the node does not know the transaction" : undefined;
  if (state === "waiting") return isDone ? "on the chain it still waits to be mined" : undefined;
  if (failed) return isDone ? "on the chain it was mined and failed" : undefined;
  return failed === false && (status === "failed" || status === "expired")
    ? "on the chain it was mined and succeeded"
    : undefined;
}

function fieldDifferences(transaction: Transaction, { fields }: ChainRecord, symbol: string | undefined): Problem[] {
  const recorded = COMPARED.map((key): [string, JsonValue] => [
    key,
    transaction[key] ?? (key === "data" ? "0x" : null),
  ]);
  const coin = currencyOf("evm", symbol);
  const { different } = compareFields(Object.fromEntries(recorded), fields, () => "unconfirmed");
  return different.map(({ path, requested, returned }: Difference) => ({
    where: path,
    given: shownBodyField(path, requested, coin),
    rule: `the chain holds ${shownBodyField(path, returned, coin)}`,
  }));
}

export interface ChainRecord {
  state: "unknown" | "waiting" | "mined";
  /** Whether a mined one's execution failed; absent if unknown. */
  failed?: boolean;
  /** Where it was mined: `block 7`. */
  place?: string;
  /** The node's data about the transaction, with the field names of the service's record. */
  fields: JsonObject;
}

export function comparedEvmRecord(found: HashFacts | null): ChainRecord {
  if (!found) return { state: "unknown", fields: {} };
  const { transaction, receipt } = found;
  const { from, to, value, nonce, data, gasLimit, gasPrice, maxFee, maxTip } = transaction;
  const fields = {
    from,
    to,
    value: amountText(value),
    nonce,
    data,
    gas_limit: gasLimit ?? null,
    gas_price: amountText(gasPrice),
    max_fee_per_gas: amountText(maxFee),
    max_priority_fee_per_gas: amountText(maxTip),
  };
  const block = receipt?.block ?? transaction.block;
  if (block === undefined) return { state: "waiting", fields };
  const { reverted } = receipt ?? {};
  return { state: "mined", ...(reverted !== undefined && { failed: reverted }), place: `block ${block}`, fields };
}

function amountText(amount: bigint | undefined): JsonValue {
  return amount === undefined ? null : String(amount);
}
