import type { Client } from "../../client/client.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import { hashOf } from "../evm/quantity.ts";
import { readBySenderAndNonce, readTransaction } from "../evm/transaction.ts";
import type { ChainNode, NodeFault } from "../node/node.ts";
import { feesInPool } from "../replacement/fees.ts";
import type { QueueChain, QueueEvidence, WaitingVersion } from "./diagnosis.ts";
import { findHead } from "./find-head.ts";
import { nonceOf, slotsOf } from "./slots.ts";

/** Returns the value of a reading; notes why there is none. */
export type Known = <T>(reading: { value: T } | { fault: NodeFault }) => T | undefined;

interface HeadSource {
  client: { tx: Pick<Client["tx"], "getByNonce"> };
  relayerId: string;
  node: ChainNode;
  address: string;
  records: readonly Transaction[];
  known: Known;
}

/** How often the next nonce is corrected because the transaction with it was mined meanwhile. */
const MOST_MINED = 8;

/** Reads what waits with the account's next nonce. A mined transaction with that nonce shows that it is used. */
export async function readHead(
  source: HeadSource,
  seen: QueueChain,
): Promise<Pick<QueueEvidence, "records"> & { chain: QueueChain }> {
  let { records } = source;
  let chain = seen;
  for (let tries = 0; tries < MOST_MINED; tries++) {
    const head = findHead({ chain }, slotsOf({ records, chain }));
    if (head && !head.record) records = withRecord(records, await recordAt(source, chain.nonce));
    const record = findHead({ chain }, slotsOf({ records, chain }))?.record;
    const waiting = await readWaiting(source, chain.nonce, record);
    if (waiting !== "mined") return { records, chain: { ...chain, waiting } };
    chain = { ...chain, nonce: chain.nonce + 1n };
  }
  return { records, chain };
}

/** Adds a record, which may have changed since it was listed. */
function withRecord(records: readonly Transaction[], found: Transaction | undefined): readonly Transaction[] {
  return found ? [...records.filter(({ id }) => id !== found.id), found] : records;
}

/** Reads the record with a nonce that the list did not show: it may have got the nonce meanwhile. */
async function recordAt({ client, relayerId }: HeadSource, nonce: bigint): Promise<Transaction | undefined> {
  try {
    return (await client.tx.getByNonce(relayerId, String(nonce))).data;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return undefined;
  }
}

/** Reads what waits at the node with a nonce: under the record's hash, or else by the node's own index (facts 16.7). */
async function readWaiting(
  { node, address, known }: HeadSource,
  nonce: bigint,
  record: Transaction | undefined,
): Promise<WaitingVersion | "mined"> {
  const hash = record && nonceOf(record) === nonce ? hashOf(record.hash) : undefined;
  const own = hash === undefined ? undefined : known(await readTransaction(node, hash));
  if (own?.block !== undefined) return own.nonce === nonce ? "mined" : { knowsRecord: undefined, fees: undefined };
  if (own) return { knowsRecord: true, fees: feesInPool(own) };
  const indexed = await readBySenderAndNonce(node, address, nonce);
  const other = "value" in indexed ? indexed.value : null;
  if (other?.block !== undefined) return "mined";
  return { knowsRecord: own === null ? false : undefined, fees: other ? feesInPool(other) : undefined };
}
