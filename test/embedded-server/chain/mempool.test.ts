import { marketHistory, steadyMarket } from "../../../src/embedded-server/chain/market.ts";
import { broadcast, mineBlocks, nextForMining } from "../../../src/embedded-server/chain/mining.ts";
import { emptySimChain, type SimChain, type SimTransaction } from "../../../src/embedded-server/chain/sim-chain.ts";

const RULES = { blockTime: 1000, market: marketHistory(steadyMarket({ id: "evm:local" })) };
const AT = Date.UTC(2026, 0, 1);
const RICH = 10n ** 18n;

function transaction(fields: Partial<SimTransaction> = {}): SimTransaction {
  const prices = { fee: 10_000_000_000n, tip: 1_000_000_000n, isLegacy: false };
  const call = { from: "0xa", nonce: 0, to: "0xb", value: 1n, data: "0x", gas: 21_000n };
  return { hash: "0x1", ...call, ...prices, at: AT, isChosen: false, ...fields };
}

function sent(...all: SimTransaction[]) {
  return all.reduce<{ chain: SimChain; refusal?: string }>(({ chain }, each) => broadcast(chain, RULES, each, RICH), {
    chain: emptySimChain(),
  });
}

const hashes = (all: readonly SimTransaction[]) => all.map(({ hash }) => hash);

describe("a node", () => {
  test("replaces a waiting transaction with one that pays a tenth more in both members", () => {
    const dearer = transaction({ hash: "0x2", fee: 11_000_000_000n, tip: 1_100_000_000n });
    const { chain, refusal } = sent(transaction(), dearer);
    expect([refusal, hashes(chain.waiting), hashes(chain.dropped)]).toEqual([undefined, ["0x2"], ["0x1"]]);
  });

  test.each([
    ["replacement transaction underpriced", { fee: 10_999_999_999n, tip: 1_100_000_000n }],
    ["replacement transaction underpriced", { fee: 11_000_000_000n, tip: 1_099_999_999n }],
    ["fee below the base fee", { fee: 999_999_999n }],
    ["insufficient funds", { nonce: 1, value: RICH }],
  ])("refuses with %s: %o", (refusal, fields) => {
    const refused = sent(transaction(), transaction({ hash: "0x2", ...fields }));
    expect([refused.refusal, hashes(refused.chain.waiting)]).toEqual([refusal, ["0x1"]]);
  });

  test("refuses a nonce that was used", () => {
    const { chain } = sent(transaction());
    const mined = mineBlocks(chain, transaction(), 1);
    expect(broadcast(mined, RULES, transaction({ hash: "0x2" }), RICH).refusal).toBe("nonce too low");
  });

  test("keeps both while the block is being built that contains the first", () => {
    const late = { at: AT + 14_600, hash: "0x2", fee: 11_000_000_000n, tip: 1_100_000_000n };
    const { chain } = sent(transaction(), transaction(late));
    expect(hashes(chain.waiting)).toEqual(["0x1", "0x2"]);
    const next = nextForMining(chain, RULES);
    expect(next?.transaction.hash).toBe("0x1");
    const after = mineBlocks(chain, next?.transaction ?? transaction(), next?.block ?? 0);
    expect([hashes(after.mined), hashes(after.waiting), hashes(after.dropped)]).toEqual([["0x1"], [], ["0x2"]]);
  });
});

test("a transaction waits for the lower nonces of its sender", () => {
  const { chain } = sent(transaction({ nonce: 1 }));
  expect(nextForMining(chain, RULES)).toBe(undefined);
  expect(nextForMining(broadcast(chain, RULES, transaction(), RICH).chain, RULES)?.transaction.nonce).toBe(0);
});
