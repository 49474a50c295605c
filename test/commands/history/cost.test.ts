import type { Receipt } from "../../../src/chain/evm/read-evm.ts";
import type { Examined } from "../../../src/chain/examine.ts";
import type { HashFacts } from "../../../src/chain/verdict/evidence.ts";
import type { VerdictWord } from "../../../src/chain/verdict/verdict.ts";
import { historyCost, historyCostMembers, recordedHistoryCost } from "../../../src/views/history/costs.ts";
import { outcome } from "./recorded.ts";

const HASH = `0x${"a".repeat(64)}`;
const RECEIPT: Receipt = {
  hash: HASH,
  block: 42n,
  blockHash: HASH,
  reverted: false,
  gasUsed: 21_000n,
  gasPrice: 12_000_000_001n,
};
const FEE = 21_000n * 12_000_000_001n;

function examined(
  word: VerdictWord,
  { receipt = RECEIPT, mined = true }: { receipt?: Receipt | undefined; mined?: boolean } = {},
): Examined {
  const seen = { hash: HASH, block: 42n, to: "0x01", value: 5n, data: "0x" };
  const hashes = new Map([[HASH, { transaction: {}, receipt } as HashFacts]]);
  return {
    verdict: { verdict: word, why: "why", stage: "mined", missing: [], ...(mined && { seen }) },
    facts: { hashes, missing: [] },
    fault: undefined,
    node: "node",
  };
}

test.each(["confirmed", "earlier_version", "cancel_too_late"] as const)(
  "%s costs its fee, and moved its value",
  (word) => expect(historyCost(examined(word))).toEqual({ fee: FEE, value: 5n, hash: HASH, block: 42n }),
);

test.each(["reverted", "canceled", "expired", "failed"] as const)("%s costs its fee, and moved nothing", (word) => {
  expect(historyCost(examined(word))).toEqual({ fee: FEE, value: 0n, hash: HASH, block: 42n });
  expect(historyCost(examined(word, { mined: false }))).toEqual({ fee: 0n, value: 0n });
});

test.each(["pending", "never_broadcast"] as const)("%s has no cost yet", (word) => {
  expect(historyCost(examined(word))).toEqual({ open: "why" });
});

test.each(["foreign", "gone"] as const)("%s has no known cost, although nothing failed", (word) => {
  expect(historyCost(examined(word))).toEqual({ missing: "why", isFault: false });
});

test("the fee for data on another chain counts", () =>
  expect(historyCost(examined("confirmed", { receipt: { ...RECEIPT, dataFee: 7n } }))).toMatchObject({
    fee: FEE + 7n,
  }));

test("without a receipt or a node, the cost is missing", () => {
  const unread = { ...RECEIPT, gasPrice: undefined };
  expect(historyCost(examined("confirmed", { receipt: unread }))).toMatchObject({ isFault: true });
  const fault = { kind: "unreachable" as const, words: "no response" };
  expect(historyCost({ ...examined("confirmed"), fault })).toEqual({
    missing: "the chain could not be checked: no response",
    isFault: true,
  });
});

test("a recorded cost is read back exactly, and nothing else is taken for one", () => {
  const paid = { fee: 2n ** 80n + 1n, value: 3n, hash: HASH, block: 42n };
  expect(recordedHistoryCost(outcome("a", { after: historyCostMembers(paid) }))).toEqual(paid);
  expect(recordedHistoryCost(outcome("a"))).toBeUndefined();
  expect(recordedHistoryCost(outcome("a", { after: { fee_paid: "x", value_paid: "1" } }))).toBeUndefined();
});
