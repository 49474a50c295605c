import { keccak256 } from "ox/Hash";
import type { Hex } from "ox/Hex";
import { deserialize } from "ox/TxEnvelopeEip1559";
import type { JsonObject, JsonValue } from "../../../src/contract/json.ts";
import type { JsonRpcNode } from "../../../src/contract/json-rpc.ts";

interface Pooled {
  hash: string;
  nonce: bigint;
  to: string | null;
  value: bigint;
  fee: bigint;
  tip: bigint;
  block?: number;
  isReverted?: boolean;
}

const GWEI = 10n ** 9n;

/** A node with a chain of one account, which mines on demand. It decodes what is really signed. */
export function createFakeNode() {
  const pool: Pooled[] = [];
  const chain = { height: 100, baseFee: GWEI, balance: 5n * 10n ** 18n, isAway: false, reverts: false };
  const mined = () => pool.filter(({ block }) => block !== undefined);
  const count = () => mined().length;

  function receive(bytes: string): string {
    const { nonce = 0n, to, value = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = deserialize(bytes as "0x02");
    const hash = keccak256(bytes as Hex);
    if (pool.some((each) => each.hash === hash)) throw new NodeFault(-32_000, "already known");
    if (nonce < BigInt(count())) throw new NodeFault(-32_000, "nonce too low");
    if (value > chain.balance) throw new NodeFault(-32_000, "insufficient funds for gas * price + value");
    const old = pool.findIndex((each) => each.nonce === nonce && each.block === undefined);
    const rival = pool[old];
    const isCheap = rival && (maxFeePerGas * 10n < rival.fee * 11n || maxPriorityFeePerGas * 10n < rival.tip * 11n);
    if (isCheap) throw new NodeFault(-32_000, "replacement transaction underpriced");
    if (rival) pool.splice(old, 1);
    pool.push({ hash, nonce, to: to ?? null, value, fee: maxFeePerGas, tip: maxPriorityFeePerGas });
    return hash;
  }

  const find = (hash: JsonValue | undefined) => pool.find((each) => each.hash === hash);
  const methods: Record<string, (params: readonly JsonValue[]) => JsonValue> = {
    eth_chainId: () => "0x7a69",
    eth_blockNumber: () => hex(chain.height),
    eth_gasPrice: () => hex(2n * GWEI),
    eth_maxPriorityFeePerGas: () => hex(GWEI),
    eth_feeHistory: () => ({ baseFeePerGas: [hex(chain.baseFee)], reward: [["0x0", "0x0", "0x0", "0x0"]] }),
    eth_estimateGas: () => hex(30_000),
    eth_getBalance: () => hex(chain.balance),
    eth_getTransactionCount: () => hex(count()),
    eth_getBlockByNumber: ([number]) => ({ number: number ?? null, timestamp: number ?? null }),
    eth_sendRawTransaction: ([bytes]) => receive(String(bytes)),
    eth_getTransactionReceipt([hash]) {
      const { block, isReverted } = find(hash) ?? {};
      return block === undefined ? null : { blockNumber: hex(block), status: isReverted ? "0x0" : "0x1" };
    },
    eth_getTransactionByHash([hash]) {
      const { to = null, value = 0n } = find(hash) ?? {};
      return { from: to, to, value: hex(value), input: "0x" } as JsonObject;
    },
  };

  const node: JsonRpcNode = {
    name: "http://127.0.0.1:8545",
    async ask(method, params) {
      if (chain.isAway) return { fault: { words: "the connection was refused" } };
      try {
        const answer = methods[method];
        if (!answer) throw new NodeFault(-32_601, "the method does not exist");
        return { value: answer(params) };
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error;
        return { fault: { words: `JSON-RPC error ${error.code}: ${error.message}`, code: error.code } };
      }
    },
  };
  return {
    node,
    pool,
    chain,
    /** Mines what offers at least the base fee, in the order of nonces, and another block. */
    mine() {
      chain.height += 1;
      for (let next = pool.find(isNext); next; next = pool.find(isNext)) {
        next.block = chain.height;
        if (chain.reverts) next.isReverted = true;
      }
      chain.height += 1;
    },
  };

  function isNext({ nonce, block, fee }: Pooled): boolean {
    return block === undefined && nonce === BigInt(count()) && fee >= chain.baseFee;
  }
}

class NodeFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function hex(amount: number | bigint): string {
  return `0x${amount.toString(16)}`;
}
