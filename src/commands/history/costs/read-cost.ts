import { examine } from "../../../chain/examine.ts";
import { type Chain, openChain } from "../../../chain/open-chain.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { isJsonObject } from "../../../contract/json.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import { type Cost, costOf } from "./cost.ts";
import type { SentTransaction } from "./sent-transactions.ts";

/** Reads what transactions cost. The chain of each relayer is opened once. */
export function costReader(session: Session, now: number): (sent: SentTransaction) => Promise<Cost> {
  const { client, remaining } = session;
  const chains = new Map<string, Promise<Chain>>();
  const chainOf = (relayerId: string) => {
    const opened =
      chains.get(relayerId) ?? openChain({ client, relayerId, ownNode: (network) => session.ownNode(network) });
    chains.set(relayerId, opened);
    return opened;
  };
  return async (sent) => {
    const { relayerId, hashes } = sent;
    const record = await recordOf(session, sent);
    const seen = record ?? rememberedRecord(sent);
    const chain = await chainOf(relayerId);
    if (networkKind(chain.relayer) !== "evm")
      return { missing: "only the fees of EVM transactions are read", isFault: false };
    const records = [seen] as const;
    const question = { relayerId, records, hashes, now, ...(!record && { isGone: true }) };
    return costOf(await examine(chain, client, { ...question, ...(remaining && { remaining }) }));
  };
}

async function recordOf({ client }: Session, { relayerId, id }: SentTransaction): Promise<Transaction | undefined> {
  try {
    return (await client.tx.get(relayerId, id)).data;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return undefined;
    throw error;
  }
}

/** Returns the record as it was after sending: the service deletes records after some hours (facts 5.1). */
function rememberedRecord({ id, write: { intent, outcome } }: SentTransaction): Transaction {
  const body = isJsonObject(intent.body) ? intent.body : {};
  return { ...outcome.after, ...(body.data !== undefined && { data: body.data }), id } as Transaction;
}
