import type { JsonObject, JsonValue } from "../../../../src/contract/json.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import { json } from "./dialect.ts";
import type { State } from "./state.ts";

/** The newest block, and the block that contains everything that was written. */
const HEIGHT = "0x78";
const BLOCK = "0x64";
const BLOCK_HASH = `0x${"b".repeat(64)}`;
/** 2020-01-01T00:00:00Z */
const TIME = "0x5e0be100";
/** 10,000 of the network's coin. */
const BALANCE = "0x21e19e0c9bab2400000";
const CHAIN_ID = "0x7a69";

/** The network of the relayers, as the service describes it. */
export const NETWORK: JsonObject = {
  id: "evm:testnet",
  name: "testnet",
  network_type: "evm",
  chain_id: Number(CHAIN_ID),
  required_confirmations: 1,
  tags: [],
  rpc_urls: [{ url: "https://rpc.example.org/key", weight: 100 }],
};

/** Returns the response of the node of the relayers. */
export function callNode(request: JsonObject, chain: State["chain"]): WireReply {
  return json(200, { jsonrpc: "2.0", result: chainResult(chain, request), id: request.id ?? 1 });
}

/** Returns what the node returns for a method that reads. */
function chainResult({ mined, height = HEIGHT }: State["chain"], { method, params }: JsonObject): JsonValue {
  const [asked, other] = Array.isArray(params) ? params : [];
  const named = mined.find(({ hash }) => hash === asked);
  switch (method) {
    case "eth_getTransactionByHash":
      return named ?? null;
    case "eth_getTransactionReceipt":
      return named
        ? { transactionHash: named.hash ?? null, blockNumber: BLOCK, blockHash: BLOCK_HASH, status: "0x1" }
        : null;
    case "eth_getTransactionBySenderAndNonce":
      return mined.find(({ nonce }) => nonce === other) ?? null;
    case "eth_getTransactionCount":
      return `0x${(7 + mined.length).toString(16)}`;
    case "eth_getBalance":
      return BALANCE;
    case "eth_getBlockByNumber":
      return asked === "latest" || asked === "finalized"
        ? { number: height, timestamp: TIME, transactions: [] }
        : { number: asked ?? null, hash: BLOCK_HASH, timestamp: TIME, transactions: mined };
    default:
      return CHAIN_ID;
  }
}

/** Returns a transaction of the relayers in a block. */
export function minedAs(hash: string, { from, to, value, data, nonce }: JsonObject): JsonObject {
  return {
    hash,
    from: from ?? null,
    to: to ?? null,
    value: `0x${BigInt(String(value)).toString(16)}`,
    input: data ?? "0x",
    nonce: `0x${Number(nonce).toString(16)}`,
    blockNumber: BLOCK,
  };
}
