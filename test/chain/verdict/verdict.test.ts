import { describe, expect, test } from "vitest";
import { type ChainQuestion, readChainFacts } from "../../../src/chain/examine.ts";
import { UNKNOWN } from "../../../src/chain/network.ts";
import type { Evidence } from "../../../src/chain/verdict/evidence.ts";
import type { Verdict } from "../../../src/chain/verdict/verdict.ts";
import { verdictOf } from "../../../src/chain/verdict/verdict-of.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { chainNode, type FakeChain, type Mined, NOW } from "../fake-chain.ts";
import { fakeNode, fault, listOf } from "../fake-node.ts";
import {
  CANCELLATION,
  EARLIER,
  FOREIGN,
  hash,
  NOOP,
  NOOP_HASH,
  ORIGINAL,
  OWN,
  PUT,
  REPLACED,
  REPLACEMENT,
  record,
  THIRD,
  TO,
  TRANSFER,
} from "./records.ts";

type Records = readonly [Transaction, ...Transaction[]];
type More = Partial<Evidence> & Pick<ChainQuestion, "hashes">;

const NETWORK = { kind: "evm" as const, confirmations: 1n, isUnraised: false };

/** The verdict about records whose chain holds these transactions besides the account's earlier ones. */
async function verdict(
  records: Records,
  mined: readonly Mined[],
  { hashes = [], ...more }: Partial<More> = {},
  chain: Partial<FakeChain> = {},
): Promise<Verdict> {
  const node = chainNode({ height: 1_000, indexed: true, transactions: [...EARLIER, ...mined], ...chain });
  const facts = await readChainFacts(node, { records, hashes, network: UNKNOWN, now: NOW });
  if ("fault" in facts) throw new Error(facts.fault.words);
  return verdictOf({ ...NETWORK, records, chain: facts.value, ...more });
}

/** The verdict if the chain cannot be asked. */
const byRecord = (records: Records, more: Partial<Evidence> = {}) => verdictOf({ ...NETWORK, records, ...more });

const CONSUMED = {
  status: "failed",
  status_reason: "Nonce 4 consumed externally (on-chain nonce: 5). No matching transaction hash found on-chain.",
};
const BLOCK = { block: 990 };

describe("a transaction without replacement", () => {
  test("is confirmed if it was mined, even before the record shows it", async () => {
    expect(await verdict([record()], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "confirmed",
      stage: "mined",
      seen: { hash: ORIGINAL, to: TO, value: 1_000n, block: 990n },
    });
  });

  test("is pending in the newest block, unless the record is confirmed", async () => {
    const newest = [{ ...TRANSFER, block: 1_000 }];
    expect(await verdict([record()], newest)).toMatchObject({ verdict: "pending", stage: "mined" });
    const confirmed = record({ status: "confirmed" });
    expect(await verdict([confirmed], newest)).toMatchObject({ verdict: "confirmed" });
    expect(await verdict([confirmed], newest, { isStrict: true })).toMatchObject({ verdict: "pending" });
    const failed = record({ status: "failed" });
    expect(await verdict([failed], newest)).toMatchObject({ verdict: "pending", stage: "mined" });
    const other = [{ ...TRANSFER, hash: THIRD, block: 1_000 }];
    expect(await verdict([confirmed], other)).toMatchObject({ verdict: "pending", stage: "mined" });
    expect(await verdict([confirmed], newest, { confirmations: 0n, isStrict: true })).toMatchObject({
      verdict: "confirmed",
    });
  });

  test("is the same version if the service resent it at another price", async () => {
    const again = [{ ...TRANSFER, hash: THIRD, maxFee: 12_000_000_000n, ...BLOCK }];
    expect(await verdict([record()], again)).toMatchObject({ verdict: "confirmed", seen: { hash: THIRD } });
  });

  test("is pending if it failed while another version may wait in the pool, under a hash that is not known", async () => {
    const failed = record({ status: "failed", hash: PUT });
    expect(await verdict([failed], [])).toMatchObject({ verdict: "failed" });
    expect(await verdict([failed], [TRANSFER])).toMatchObject({ verdict: "pending" });
    const behindGap = { ...TRANSFER, nonce: 6 };
    const last = record({ status: "failed", hash: PUT, nonce: 6 });
    expect(await verdict([last], [behindGap])).toMatchObject({ verdict: "pending" });
    expect(await verdict([last], [], {}, { indexed: false })).toMatchObject({ verdict: "pending" });
  });

  test("is pending if it reverted in the newest block: only a record that reads confirmed or canceled waited", async () => {
    const newest = [{ ...TRANSFER, block: 1_000, reverted: true }];
    const failed = record({
      status: "failed",
      status_reason: "Transaction reverted on-chain (receipt status: failed)",
    });
    expect(await verdict([failed], newest)).toMatchObject({ verdict: "pending", stage: "mined" });
    expect(await verdict([record({ status: "confirmed" })], newest)).toMatchObject({ verdict: "reverted" });
  });

  test("is reverted if it reverted on the chain, with any record status", async () => {
    const reverted = [{ ...TRANSFER, ...BLOCK, reverted: true }];
    for (const status of ["submitted", "confirmed", "failed"]) {
      expect(await verdict([record({ status })], reverted)).toMatchObject({ verdict: "reverted" });
    }
  });

  test("is pending and broadcast if it is in the pool", async () => {
    expect(await verdict([record()], [TRANSFER])).toMatchObject({ verdict: "pending", stage: "broadcast" });
  });

  test("is failed if the record failed and the chain does not show it", async () => {
    expect(await verdict([record({ status: "failed" })], [])).toMatchObject({ verdict: "failed" });
    expect(await verdict([record({ status: "failed", hash: null, nonce: null })], [])).toMatchObject({
      verdict: "failed",
    });
  });

  test("is pending in the pool, even with a failed record", async () => {
    expect(await verdict([record({ status: "failed" })], [TRANSFER])).toMatchObject({
      verdict: "pending",
      seen: { hash: ORIGINAL, block: undefined },
    });
  });

  test("is confirmed if it was mined, even with a failed record", async () => {
    expect(await verdict([record({ status: "failed" })], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "confirmed",
    });
  });

  test("is unsigned with a pending record without a nonce", async () => {
    expect(await verdict([record({ status: "pending", hash: null, nonce: null })], [])).toMatchObject({
      verdict: "pending",
      stage: "unsigned",
    });
  });

  test("is compared with the requested values if a request is specified", async () => {
    const wanted = { to: TO, value: 2_000n, data: "0x" };
    const mined = [{ ...REPLACED, ...BLOCK }];
    expect(await verdict([record()], mined, { wanted })).toMatchObject({ verdict: "confirmed" });
    expect(await verdict([record()], [{ ...TRANSFER, ...BLOCK }], { wanted })).toMatchObject({
      verdict: "earlier_version",
    });
  });

  test("a record with a hash and without a nonce is signed, and only its hash can settle it", async () => {
    expect(await verdict([record({ nonce: null })], [])).toMatchObject({ verdict: "pending", stage: "signed" });
    expect(await verdict([record({ nonce: null, status: "failed" })], [])).toMatchObject({ verdict: "pending" });
    expect(await verdict([record({ nonce: null })], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "confirmed",
    });
  });
});

describe("a replacement after its original was mined", () => {
  const lost = record({ ...REPLACEMENT, ...CONSUMED });

  test("is an earlier version with a failed record, found by the nonce without its hash", async () => {
    const paid = await verdict([lost], [{ ...TRANSFER, ...BLOCK }]);
    expect(paid).toMatchObject({
      verdict: "earlier_version",
      isPresumed: true,
      seen: { hash: ORIGINAL, value: 1_000n },
    });
  });

  test("is certain if an earlier record or the original's hash is known", async () => {
    const mined = [{ ...TRANSFER, ...BLOCK }];
    for (const found of [
      await verdict([record(), lost], mined),
      await verdict([lost], mined, { hashes: [ORIGINAL] }),
    ]) {
      expect(found).toMatchObject({ verdict: "earlier_version" });
      expect(found.isPresumed).toBeUndefined();
    }
  });

  test("is an earlier version with a submitted record whose hash no node knows", async () => {
    const phantom = record(REPLACEMENT);
    expect(await verdict([record(), phantom], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "earlier_version",
      seen: { hash: ORIGINAL },
    });
  });

  test("is an earlier version with a record that combines the original's hash and the replacement's value", async () => {
    const recovered = record({ ...REPLACEMENT, status: "confirmed", hash: ORIGINAL });
    expect(await verdict([recovered], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "earlier_version",
      seen: { hash: ORIGINAL, value: 1_000n },
    });
    expect(byRecord([record(), record(REPLACEMENT), recovered])).toMatchObject({
      verdict: "earlier_version",
      isByRecord: true,
    });
  });

  test("is an earlier version even if the original reverted", async () => {
    expect(await verdict([record(), lost], [{ ...TRANSFER, ...BLOCK, reverted: true }])).toMatchObject({
      verdict: "earlier_version",
    });
  });

  test("is pending if the node does not show which transaction used the nonce", async () => {
    const old = { state: 128, indexed: false };
    const unsent = { ...lost, sent_at: null, created_at: null };
    expect(await verdict([unsent], [{ ...TRANSFER, block: 500 }], {}, old)).toMatchObject({
      verdict: "pending",
      missing: ["the node no longer has the state of earlier blocks"],
    });
  });

  test("is pending without the chain", () => {
    expect(byRecord([lost])).toMatchObject({ verdict: "pending" });
  });
});

test("a mined replacement is confirmed with another hash", async () => {
  const mined = [{ ...REPLACED, ...BLOCK }];
  expect(await verdict([record(), record({ ...REPLACEMENT, hash: THIRD, status: "confirmed" })], mined)).toMatchObject({
    verdict: "confirmed",
    seen: { hash: THIRD, value: 2_000n },
  });
  expect(await verdict([record(), record(REPLACEMENT)], mined)).toMatchObject({ verdict: "confirmed" });
});

describe("a cancellation", () => {
  const canceling = record(CANCELLATION);

  test("is canceled if its no-op was mined, with any record status", async () => {
    for (const status of ["submitted", "canceled", "confirmed"]) {
      const canceled = record({ ...CANCELLATION, status, hash: NOOP_HASH });
      expect(await verdict([canceled], [{ ...NOOP, ...BLOCK }])).toMatchObject({ verdict: "canceled" });
    }
  });

  test("is too late if the record is confirmed with the original's hash", async () => {
    const late = record({ ...CANCELLATION, status: "confirmed" });
    expect(await verdict([late], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "cancel_too_late",
      seen: { hash: ORIGINAL, value: 1_000n, to: TO },
    });
    expect(byRecord([record(), canceling, late])).toMatchObject({ verdict: "cancel_too_late", isByRecord: true });
    expect(byRecord([late])).toMatchObject({ verdict: "pending" });
  });

  test("is too late if the original was mined and the record is still submitted", async () => {
    const sent = record({ ...CANCELLATION, hash: NOOP_HASH });
    expect(await verdict([record(), sent], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({ verdict: "cancel_too_late" });
    expect(await verdict([sent], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "cancel_too_late",
      isPresumed: true,
    });
  });

  test("is canceled immediately for a transaction without a hash", async () => {
    const early = record({
      status: "canceled",
      status_reason: "Transaction canceled by user",
      hash: null,
      nonce: null,
    });
    expect(await verdict([early], [])).toMatchObject({ verdict: "canceled" });
    expect(byRecord([early])).toMatchObject({ verdict: "canceled" });
    // A malformed receiver: a nonce, and never a signature.
    expect(await verdict([{ ...early, nonce: 4, to: "0x12" }], [])).toMatchObject({ verdict: "canceled" });
  });

  test("with a later replacement is canceled if its no-op was mined, and confirmed if the replacement was", async () => {
    const live = record({ ...REPLACEMENT, is_canceled: true });
    expect(await verdict([canceling, live], [{ ...NOOP, ...BLOCK }])).toMatchObject({ verdict: "canceled" });
    expect(await verdict([canceling, live], [{ ...REPLACED, ...BLOCK }])).toMatchObject({ verdict: "confirmed" });
    expect(byRecord([{ ...live, status: "confirmed" }])).toMatchObject({ verdict: "pending" });
  });

  test("without is_canceled is recognized by its reason or an earlier record", async () => {
    const old = { ...record(CANCELLATION), is_canceled: null, status: "confirmed" };
    expect(await verdict([old], [{ ...NOOP, hash: ORIGINAL, ...BLOCK }])).toMatchObject({ verdict: "canceled" });
    expect(await verdict([old], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({ verdict: "cancel_too_late" });
    const silent = { ...old, status_reason: null };
    expect(await verdict([record(), silent], [{ ...NOOP, hash: ORIGINAL, ...BLOCK }])).toMatchObject({
      verdict: "canceled",
    });
  });

  test("is compared with the chain if a cancellation is specified", async () => {
    const wanted = "cancellation" as const;
    expect(await verdict([record()], [{ ...NOOP, ...BLOCK }], { wanted })).toMatchObject({ verdict: "canceled" });
    expect(await verdict([record()], [{ ...TRANSFER, ...BLOCK }], { wanted })).toMatchObject({
      verdict: "cancel_too_late",
    });
  });

  test("is pending with a canceled record until the chain has used the nonce", async () => {
    const early = record({ ...CANCELLATION, status: "canceled", hash: NOOP_HASH });
    expect(await verdict([early], [])).toMatchObject({ verdict: "pending" });
  });
});

test("a version that was mined before another one was sent is found on a node without old state", async () => {
  const sent_at = new Date(NOW - 60_000).toISOString();
  const node = { state: 3, indexed: false };
  expect(await verdict([record({ ...REPLACEMENT, sent_at })], [{ ...TRANSFER, block: 980 }], {}, node)).toMatchObject({
    verdict: "earlier_version",
    seen: { hash: ORIGINAL, block: 980n },
  });
});

describe("a version that will never be sent", () => {
  const put = record(REPLACEMENT);
  const pool = [TRANSFER];

  test.each<[string, bigint | undefined, string]>([
    ["without a cap", undefined, "pending"],
    ["with a cap of 1.22 times the old price", 12_200_000_000n, "pending"],
    ["with a cap of exactly 1.21 times the old price", 12_100_000_000n, "pending"],
    ["with a cap below 1.21 times the old price", 12_099_999_999n, "never_broadcast"],
    ["with a cap of 1.15 times the old price", 11_500_000_000n, "never_broadcast"],
    ["with a cap of 1.05 times the old price", 10_500_000_000n, "never_broadcast"],
  ])("a replacement %s", async (_, cap, expected) => {
    expect(await verdict([record(), put], pool, { cap })).toMatchObject({ verdict: expected });
  });

  test("is not assumed for one that is not known to be sent, and is sent again as it is", async () => {
    const sent = { ...put, status: "sent", sent_at: null };
    expect(await verdict([record(), sent], pool, { cap: 10_500_000_000n })).toMatchObject({ verdict: "pending" });
    const lower = { ...sent, max_fee_per_gas: "10900000000" };
    expect(await verdict([record(), lower], pool, { cap: 10_500_000_000n })).toMatchObject({
      verdict: "never_broadcast",
    });
  });

  test("shows the version that will be mined instead", async () => {
    const found = await verdict([record(), put], pool, { cap: 11_500_000_000n });
    expect(found).toMatchObject({ seen: { hash: ORIGINAL, value: 1_000n, block: undefined } });
    expect(found.why).toBe(
      `the relayer's gas price cap is too low for a replacement; ${ORIGINAL} will be mined instead`,
    );
  });

  test("is found by the hash of the earlier version", async () => {
    const found = await verdict([put], pool, { cap: 11_500_000_000n, hashes: [ORIGINAL] });
    expect(found).toMatchObject({ verdict: "never_broadcast" });
  });

  test("is not assumed for a version that was sent before, which may be mined", async () => {
    const again = record({
      hash: `0x${"9".repeat(64)}`,
      max_fee_per_gas: "60000000000",
      max_priority_fee_per_gas: "4000000000",
    });
    const waiting = { ...REPLACED, maxFee: 29_411_437_874n, tip: 1_815_000_000n };
    const cap = 60_000_000_000n;
    expect(await verdict([record(REPLACEMENT), again], [waiting], { cap, hashes: [waiting.hash] })).toMatchObject({
      verdict: "never_broadcast",
    });
    expect(await verdict([record(), record(REPLACEMENT), again], [waiting], { cap })).toMatchObject({
      verdict: "pending",
    });
  });

  test("is not assumed for a hash that no node knows, since the hash in a PUT response is rarely sent", async () => {
    expect(await verdict([put], [], { cap: 11_500_000_000n })).toMatchObject({ verdict: "pending" });
    expect(await verdict([record(), put], [], { cap: 11_500_000_000n })).toMatchObject({ verdict: "pending" });
  });

  test("is not a replacement that the node knows", async () => {
    const sent = [TRANSFER, { ...REPLACED, hash: PUT }];
    expect(await verdict([record(), put], sent, { cap: 11_500_000_000n })).toMatchObject({ verdict: "pending" });
  });

  test("is not a replacement whose hash could not be looked up", async () => {
    const chain = chainNode({ height: 1_000, transactions: [...EARLIER, TRANSFER] });
    const ask: typeof chain.ask = (method, params) =>
      listOf(params)[0] === PUT ? Promise.resolve(fault("unreadable")) : chain.ask(method, params);
    const records: Records = [record(), put];
    const facts = await readChainFacts({ name: "n", ask }, { records, network: UNKNOWN, now: NOW });
    const evidence = { ...NETWORK, records, ...("value" in facts && { chain: facts.value }) };
    expect(verdictOf({ ...evidence, cap: 11_500_000_000n })).toMatchObject({ verdict: "pending" });
  });

  test("has a legacy price that is compared with the cap", async () => {
    const legacy = { max_fee_per_gas: null, max_priority_fee_per_gas: null };
    const node = fakeNode((method) => {
      if (method === "eth_getTransactionCount") return "0x4";
      if (method === "eth_getBlockByNumber") return { number: "0x1", timestamp: `0x${(NOW / 1000).toString(16)}` };
      return method === "eth_getTransactionByHash" ? LEGACY : null;
    });
    const old = record({ ...legacy, gas_price: "10000000000" });
    const raised = record({ ...legacy, hash: PUT, value: "0x7d0", gas_price: "11000000000" });
    const facts = await readChainFacts(
      { name: "n", ask: legacyPool(node) },
      { records: [old, raised], network: UNKNOWN, now: NOW },
    );
    const chain = "value" in facts ? facts.value : undefined;
    const evidence = { ...NETWORK, records: [old, raised] as const, chain };
    expect(verdictOf({ ...evidence, cap: 12_000_000_000n })).toMatchObject({ verdict: "never_broadcast" });
    expect(verdictOf({ ...evidence, cap: 12_100_000_000n })).toMatchObject({ verdict: "pending" });
  });

  test("is not a cancellation, which has no cap", async () => {
    const canceling = record({ ...CANCELLATION, hash: NOOP_HASH });
    expect(await verdict([record(), canceling], pool, { cap: 1n })).toMatchObject({ verdict: "pending" });
  });

  test.each<[string, object, string]>([
    ["at the old price", {}, "never_broadcast"],
    ["with one member raised by a tenth", { max_fee_per_gas: "11000000000" }, "never_broadcast"],
    [
      "with both members raised by a tenth",
      { max_fee_per_gas: "11000000000", max_priority_fee_per_gas: "1100000000" },
      "pending",
    ],
  ])("a replacement on a network without price increases, %s", async (_, prices, expected) => {
    const unraised = record({ hash: PUT, value: "0x7d0", ...prices });
    expect(await verdict([record(), unraised], pool, { isUnraised: true })).toMatchObject({ verdict: expected });
  });

  test("includes a cancellation on a network without price increases", async () => {
    const canceling = record({ ...CANCELLATION, hash: NOOP_HASH });
    expect(await verdict([record(), canceling], pool, { isUnraised: true })).toMatchObject({
      verdict: "never_broadcast",
      why: expect.stringContaining("on this network"),
    });
  });

  test("can be sent on a network without price increases after the market has risen by a tenth", async () => {
    const unraised = record({ hash: PUT, value: "0x7d0" });
    const market = { max_fee_per_gas: 11_000_000_000n, max_priority_fee_per_gas: 1_100_000_000n };
    expect(await verdict([record(), unraised], pool, { isUnraised: true, market })).toMatchObject({
      verdict: "pending",
    });
    const half = { ...market, max_priority_fee_per_gas: 1_099_999_999n };
    expect(await verdict([record(), unraised], pool, { isUnraised: true, market: half })).toMatchObject({
      verdict: "never_broadcast",
    });
  });
});

const LEGACY = {
  hash: ORIGINAL,
  from: OWN,
  to: TO,
  value: "0x3e8",
  input: "0x",
  nonce: "0x4",
  gasPrice: "0x2540be400",
  blockNumber: null,
};

function legacyPool(node: ReturnType<typeof fakeNode>): typeof node.ask {
  return (method, params) =>
    method === "eth_getTransactionByHash" && listOf(params)[0] !== ORIGINAL
      ? Promise.resolve({ value: null })
      : node.ask(method, params);
}

describe("an expired transaction", () => {
  const reason = { status_reason: "Transaction is expired. Replacing with NOOP." };
  const expired = record({ to: OWN, value: "0x0", data: "0x", status: "confirmed", hash: NOOP_HASH, ...reason });

  test("is expired if its no-op was mined, with a confirmed record", async () => {
    expect(await verdict([expired], [{ ...NOOP, ...BLOCK }])).toMatchObject({ verdict: "expired" });
  });

  test("is an earlier version if the original was mined", async () => {
    expect(await verdict([expired], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({
      verdict: "earlier_version",
      seen: { hash: ORIGINAL },
    });
  });

  test("is expired if it was never signed, with a failed record", async () => {
    const unsigned = record({ status: "failed", hash: null, nonce: null, ...reason });
    expect(await verdict([unsigned], [])).toMatchObject({ verdict: "expired" });
    expect(byRecord([unsigned])).toMatchObject({ verdict: "expired" });
  });

  test("is pending without the chain", () => {
    expect(byRecord([expired])).toMatchObject({ verdict: "pending" });
  });

  test("is failed with the reason of another no-op", async () => {
    const withdrawn = { ...expired, status_reason: "Rollup transaction has too many attempts. Replacing with NOOP." };
    expect(await verdict([withdrawn], [{ ...NOOP, ...BLOCK }])).toMatchObject({ verdict: "failed" });
  });

  test("is confirmed with the reason of a gap-filling no-op", async () => {
    const gap = { ...expired, status_reason: "Gap-filling NOOP for nonce 4" };
    expect(await verdict([gap], [{ ...NOOP, ...BLOCK }])).toMatchObject({ verdict: "confirmed" });
  });
});

describe("a nonce used by an unknown transaction", () => {
  const foreign = { hash: FOREIGN, from: OWN, to: OWN.replace("70", "99"), value: 7n, nonce: 4, block: 990 };

  test("is presumed to be an earlier version, since sending again could pay twice", async () => {
    expect(await verdict([record()], [foreign])).toMatchObject({ verdict: "earlier_version", isPresumed: true });
  });

  test("is foreign if the transaction was mined before the record was created", async () => {
    expect(await verdict([record()], [{ ...foreign, block: 500 }])).toMatchObject({
      verdict: "foreign",
      seen: { hash: FOREIGN, value: 7n },
    });
  });

  test("is foreign if the transaction belongs to another record with the same nonce", async () => {
    const others = [record({ id: "tx-2", hash: FOREIGN })];
    expect(await verdict([record()], [foreign], { others })).toMatchObject({ verdict: "foreign" });
    expect(await verdict([record()], [foreign], { others: [record({ hash: FOREIGN })] })).toMatchObject({
      verdict: "earlier_version",
    });
  });

  test("is foreign if all versions are known", async () => {
    expect(await verdict([record()], [foreign], { isComplete: true })).toMatchObject({ verdict: "foreign" });
  });

  test("does not change a failed or canceled record if a no-op used it", async () => {
    const gap = [{ ...NOOP, hash: FOREIGN, ...BLOCK }];
    const malformed = { to: "0x12", hash: null };
    expect(await verdict([record({ ...malformed, status: "failed" })], gap)).toMatchObject({ verdict: "failed" });
    expect(await verdict([record({ ...malformed, status: "canceled" })], gap)).toMatchObject({ verdict: "canceled" });
  });

  test("is not affected by hashes of other senders and nonces", async () => {
    const other = [{ ...TRANSFER, hash: FOREIGN, from: TO, nonce: 0, ...BLOCK }, TRANSFER];
    expect(await verdict([record()], other, { hashes: [FOREIGN] })).toMatchObject({ verdict: "pending" });
  });
});

describe("a record with a misleading status", () => {
  test("is confirmed or pending if it is sent without sent_at", async () => {
    const sent = record({ status: "sent", sent_at: null });
    expect(await verdict([sent], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({ verdict: "confirmed" });
    expect(await verdict([sent], [])).toMatchObject({ verdict: "pending" });
  });

  test("stays confirmed despite a reason that looks like a failure", async () => {
    const worrying = record({ status: "confirmed", status_reason: "Nonce error during submission: NonceTooLow" });
    expect(await verdict([worrying], [{ ...TRANSFER, ...BLOCK }])).toMatchObject({ verdict: "confirmed" });
    expect(byRecord([worrying])).toMatchObject({ verdict: "confirmed", isByRecord: true });
  });
});

describe("a record that lost its hash", () => {
  const RESET = { hash: null, nonce: null, sent_at: null };

  test.each(["pending", "canceled", "failed", "expired"])(
    "is pending while the transaction that was sent waits: %s",
    async (status) => {
      const records: Records = [record(), record({ ...RESET, status })];
      expect(await verdict(records, [TRANSFER])).toMatchObject({ verdict: "pending" });
      expect(await verdict(records, [])).toMatchObject({ verdict: "pending" });
      if (status === "failed") expect(byRecord(records)).toMatchObject({ verdict: "pending" });
    },
  );

  test("is confirmed if the transaction that was sent was mined", async () => {
    const records: Records = [record(), record({ ...RESET, status: "pending" })];
    expect(await verdict(records, [{ ...TRANSFER, ...BLOCK }])).toMatchObject({ verdict: "confirmed" });
  });
});

describe("a transaction that was never signed", () => {
  const unsigned = (status: string) => record({ status, hash: null, sent_at: null });
  const other = { ...TRANSFER, hash: FOREIGN, value: 77n, ...BLOCK };

  test.each(["canceled", "failed"])("is %s even if another transaction used its nonce", async (status) => {
    expect(await verdict([unsigned(status)], [other])).toMatchObject({ verdict: status, stage: "unsigned" });
  });

  test("is not canceled if its version was mined all the same", async () => {
    const found = await verdict([unsigned("canceled")], [{ ...TRANSFER, ...BLOCK }]);
    expect(found).toMatchObject({ verdict: "cancel_too_late" });
  });
});

describe("a deleted record", () => {
  test("is confirmed if the transaction was mined", async () => {
    expect(await verdict([record()], [{ ...TRANSFER, ...BLOCK }], { isGone: true })).toMatchObject({
      verdict: "confirmed",
    });
  });

  test("is gone if the chain does not show the transaction, or is not used", async () => {
    expect(await verdict([record()], [], { isGone: true })).toMatchObject({ verdict: "gone" });
    const unsigned = record({ status: "pending", hash: null, nonce: null });
    expect(await verdict([unsigned], [], { isGone: true })).toMatchObject({ verdict: "gone" });
    expect(byRecord([record()], { isGone: true })).toMatchObject({ verdict: "gone", isByRecord: true });
  });

  test("is pending while its transaction is in the pool", async () => {
    expect(await verdict([record()], [TRANSFER], { isGone: true })).toMatchObject({ verdict: "pending" });
  });
});

describe("without the chain", () => {
  test.each<[string, object, string]>([
    ["confirmed", {}, "confirmed"],
    ["failed before it was signed", { status: "failed", hash: null }, "failed"],
    ["failed", { status: "failed" }, "pending"],
    [
      "reverted",
      { status: "failed", status_reason: "Transaction reverted on-chain (receipt status: failed)" },
      "pending",
    ],
    ["canceled", { ...CANCELLATION, status: "canceled" }, "canceled"],
    ["expired", { status: "expired" }, "expired"],
    ["submitted", { status: "submitted" }, "pending"],
    ["an unknown status", { status: "resting" }, "pending"],
  ])("a record with the status %s", (_, fields, expected) => {
    expect(byRecord([record({ status: "confirmed", ...fields })])).toMatchObject({ verdict: expected });
  });

  test("a confirmed record of a replaced transaction is pending, unless its hash is the replacement's", () => {
    const confirmed = record({ ...REPLACEMENT, hash: THIRD, status: "confirmed" });
    expect(byRecord([record(), confirmed])).toMatchObject({ verdict: "pending" });
    expect(byRecord([record(), record({ ...REPLACEMENT, hash: THIRD }), confirmed])).toMatchObject({
      verdict: "confirmed",
    });
  });

  test.each([
    [{ source_account: "G", status: "confirmed" }, "confirmed"],
    [{ transaction: "AQ==", status: "failed", hash: "bb" }, "failed"],
    [{ source_account: "G", status: "expired" }, "expired"],
  ])("a record of another network type keeps its status, whatever it looks like: %j", (fields, expected) => {
    for (const kind of ["solana", "stellar"] as const)
      expect(byRecord([{ id: "x", ...fields }], { kind })).toMatchObject({ verdict: expected, isByRecord: true });
  });
});

describe("a contradictory node", () => {
  test("does not confirm a transaction in a block above its block height", async () => {
    const lying = chainNode({
      height: 1_000,
      indexed: true,
      transactions: [...EARLIER, { ...TRANSFER, block: 2_000 }],
    });
    const records: Records = [record({ status: "confirmed" })];
    const facts = await readChainFacts(lying, { records, network: UNKNOWN, now: NOW });
    expect(verdictOf({ ...NETWORK, records, ...("value" in facts && { chain: facts.value }) })).toMatchObject({
      verdict: "pending",
    });
  });

  test("leaves a record pending with two mined transactions for one nonce", () => {
    const mined = (digit: string) => ({
      transaction: { ...TRANSFER, hash: hash(digit), nonce: 4n, data: "0x", block: 990n, ...PRICES },
    });
    const hashes = new Map([
      [ORIGINAL, mined("a")],
      [PUT, mined("b")],
    ]);
    expect(byRecord([record()], { chain: { hashes, missing: [] } })).toMatchObject({ verdict: "pending" });
  });

  test("leaves a record pending that failed since its nonce was used if the node shows the nonce as unused", async () => {
    expect(await verdict([record(CONSUMED)], [])).toMatchObject({
      verdict: "pending",
      why: "the service found the nonce used, but the node shows it as unused",
    });
    expect(await verdict([record({ status: "failed" })], [])).toMatchObject({ verdict: "failed" });
  });

  test("reports a receipt for another hash as missing, and passes on its faults", async () => {
    const chain = chainNode({ height: 1_000, indexed: true, transactions: [...EARLIER, { ...TRANSFER, ...BLOCK }] });
    const ask: typeof chain.ask = (method, params) =>
      chain.ask(method, method === "eth_getTransactionReceipt" ? [hash("3")] : params);
    const records: Records = [record()];
    const facts = await readChainFacts({ name: "n", ask }, { records, network: UNKNOWN, now: NOW });
    const missing = ["the response to eth_getTransactionReceipt is about another transaction"];
    expect(facts).toMatchObject({ value: { missing } });
    expect(verdictOf({ ...NETWORK, records, ...("value" in facts && { chain: facts.value }) })).toMatchObject({
      verdict: "pending",
      why: "it is mined, but its receipt is missing",
      missing,
    });
    const confirmed: Records = [record({ status: "confirmed" })];
    expect(
      verdictOf({ ...NETWORK, records: confirmed, ...("value" in facts && { chain: facts.value }) }),
    ).toMatchObject({
      verdict: "confirmed",
      why: "the record reads confirmed, but its receipt is missing",
      isByRecord: true,
    });
    expect(
      await readChainFacts(
        fakeNode(() => fault("unreachable")),
        { records, network: UNKNOWN, now: NOW },
      ),
    ).toEqual(fault("unreachable"));
  });
});

const PRICES = { maxFee: undefined, maxTip: undefined, gasPrice: undefined, gasLimit: undefined };
