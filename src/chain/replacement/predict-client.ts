import type { Client } from "../../client/client.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import { usageError } from "../../errors.ts";
import type { ChainNode } from "../node/node.ts";
import { type ChainSource, openChain } from "../open-chain.ts";
import { readPrediction } from "./predict.ts";
import type { Prediction, ReplacementBody } from "./prediction.ts";

export type ChangeToPredict = { change: "cancel" } | { change: "replace"; body: ReplacementBody };

export interface PredictOptions {
  /** The URL of a node to ask in place of the relayer's. */
  node?: string;
}

export interface Predicted extends Prediction {
  /** Why parts of it are missing or uncertain, in one line each. */
  missing: readonly string[];
}

export interface PredictClient {
  /**
   * Predicts the prices of a replacement or a cancellation of an EVM transaction, and whether it will be broadcast: the
   * service accepts some that it never sends (facts 15.1, 15.2). Only reads: the record, the relayer, and the network
   * from the service, and at most three requests to the node.
   * @throws RelayctlError not_found; usage if it is not an EVM transaction
   */
  predict(
    relayerId: string,
    transactionId: string,
    change: ChangeToPredict,
    options?: PredictOptions,
  ): Promise<Predicted>;
}

export function predictClient(
  client: ChainSource["client"] & { tx: Pick<Client["tx"], "get"> },
  nodeAt: (url: string) => ChainNode,
): PredictClient {
  return {
    async predict(relayerId, transactionId, change, { node: url } = {}) {
      const { data: record } = await client.tx.get(relayerId, transactionId);
      const ownNode = async () => (url === undefined ? undefined : nodeAt(url));
      const { relayer, network, node } = await openChain({ client, relayerId, ownNode });
      if (networkKind(relayer) !== "evm")
        throw usageError([{ where: "transactionId", rule: `${transactionId} is not an EVM transaction` }]);
      const known = { relayer: relayer ?? {}, network, node, readsMarket: true };
      const { prediction, missing } = await readPrediction({ record, ...change, ...known });
      const words = missing.map(({ part, fault }) => `the ${part} could not be read: ${fault.words}`);
      return {
        ...prediction,
        missing: [...listUncertainties(relayer, network.chainId, isServiceRecord(record, "evm")), ...words],
      };
    },
  };
}

function listUncertainties(relayer: object | undefined, chainId: bigint | undefined, isService: boolean): string[] {
  return [
    ...(relayer ? [] : ["the relayer could not be read, so that its cap is not known"]),
    ...(chainId === undefined ? ["the service does not describe the network, so that its tags are not known"] : []),
    ...(isService ? [] : ["the record does not look like a known version of the service, which may price otherwise"]),
  ];
}
