import { nodeWithAsk } from "../../src/chain/node/node.ts";
import { findMined } from "../../src/recovery/find-mined.ts";
import type { SendEvidence } from "../../src/recovery/lost-send.ts";
import { chainNode, NOW } from "../chain/fake-chain.ts";

const OWN = `0x${"70".repeat(20)}`;
const TO = `0x${"3c".repeat(20)}`;
const PAID = { from: OWN, to: TO, value: 1n };
const TRANSACTIONS = [
  { ...PAID, hash: `0x${"a1".repeat(32)}`, nonce: 0, block: 3_000 },
  { ...PAID, hash: `0x${"a2".repeat(32)}`, nonce: 1, block: 6_000 },
];

test.each([
  [1_000, 32, "it may still arrive"],
  [5_000, 12, "the chain could not be asked: the time limit was reached"],
])(
  "a node that takes %d ms for each of its responses is asked %d times about a lost payment",
  async (ms, calls, why) => {
    let time = NOW;
    const chain = chainNode({ height: 7_200, transactions: TRANSACTIONS, blockTime: 12 });
    const node = nodeWithAsk(chain, (method, params) => {
      time += ms;
      return chain.ask(method, params);
    });
    const relayer = { id: "evm-1", network_type: "evm", address: OWN };
    const others = { rivals: [], settled: [], offset: { least: 0, most: 0 }, earlier: new Map() };
    const known = { listed: { nonces: new Map() }, others, ownersOf: async () => [], now: () => time };
    const send = { id: "lost", run: "run-1", time: NOW - 3_600_000, shape: { content: `${TO} 7 0x`, gas: undefined } };
    const found = await findMined(
      { node, network: { chainId: 1n, blockTime: 12_000 }, relayer } as never,
      [send],
      known as unknown as SendEvidence & { now(): number },
    );
    expect([found.get("lost"), chain.asked.length]).toEqual([
      expect.objectContaining({ state: "unknown", because: expect.stringContaining(why) }),
      calls,
    ]);
  },
);
