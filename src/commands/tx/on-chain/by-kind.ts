import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { AskNode } from "./call-node.ts";
import type { ChainRecord } from "./chain-record.ts";
import { evmRecord } from "./evm.ts";
import { solanaRecord } from "./solana.ts";
import { stellarRecord } from "./stellar.ts";

/** How a node is asked, by the kind of its network. */
export const CHAIN_RECORDS: Record<NetworkKind, (request: AskNode, hash: string) => Promise<ChainRecord>> = {
  evm: evmRecord,
  solana: solanaRecord,
  stellar: stellarRecord,
};
