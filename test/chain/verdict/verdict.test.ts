import { type ChainQuestion, readExaminedFacts } from "../../../src/chain/examine.ts";
import { UNKNOWN } from "../../../src/chain/network.ts";
import type { Evidence, Verdict } from "../../../src/chain/verdict/verdict.ts";
import { verdictOfEvidence } from "../../../src/chain/verdict/verdict-of.ts";
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
  const facts = await readExaminedFacts(node, { records, hashes, network: UNKNOWN, now: NOW });
  if ("fault" in facts) throw new Error(facts.fault.words);
  return verdictOfEvidence({ ...NETWORK, records, chain: facts.value, ...more });
}

async function is(expected: string | object, ...of: Parameters<typeof verdict>): Promise<void> {
  expect(await verdict(...of)).toMatchObject(typeof expected === "string" ? { verdict: expected } : expected);
}

/** The verdict if the chain cannot be asked. */
const byRecord = (records: Records, more: Partial<Evidence> = {}) =>
  verdictOfEvidence({ ...NETWORK, records, ...more });

const CONSUMED = {
  status: "failed",
  status_reason: "Nonce 4 consumed externally (on-chain nonce: 5). No matching transaction hash found on-chain.",
};
const BLOCK = { block: 990 };
const MINED = { ...TRANSFER, ...BLOCK };

describe("a transaction without replacement", () => {
  test("is confirmed if it was mined, even before the record shows it", async () =>
    expect(await verdict([record()], [MINED])).toMatchObject({
      verdict: "confirmed",
      stage: "mined",
      seen: { hash: ORIGINAL, to: TO, value: 1_000n, block: 990n },
    }));

  test("is pending in the newest block, unless the record is confirmed", async () => {
    const newest = [{ ...TRANSFER, block: 1_000 }];
    await is({ verdict: "pending", stage: "mined" }, [record()], newest);
    const confirmed = record({ status: "confirmed" });
    await is("confirmed", [confirmed], newest);
    await is("pending", [confirmed], newest, { isStrict: true });
    const failed = record({ status: "failed" });
    await is({ verdict: "pending", stage: "mined" }, [failed], newest);
    const other = [{ ...TRANSFER, hash: THIRD, block: 1_000 }];
    await is({ verdict: "pending", stage: "mined" }, [confirmed], other);
    await is("confirmed", [confirmed], newest, { confirmations: 0n, isStrict: true });
  });

  test("is the same version if the service resent it at another price", async () => {
    const again = [{ ...TRANSFER, hash: THIRD, maxFee: 12_000_000_000n, ...BLOCK }];
    const why = "it is on the chain, with another hash";
    await is({ verdict: "confirmed", why, seen: { hash: THIRD } }, [record()], again);
  });

  test("is pending if it failed while another version may wait in the pool, under a hash that is not known", async () => {
    const failed = record({ status: "failed", hash: PUT });
    await is("failed", [failed], []);
    await is("pending", [failed], [TRANSFER]);
    const behindGap = { ...TRANSFER, nonce: 6 };
    const last = record({ status: "failed", hash: PUT, nonce: 6 });
    await is("pending", [last], [behindGap]);
    await is("pending", [last], [], {}, { indexed: false });
  });

  test("is pending if it reverted in the newest block: only a record that reads confirmed or canceled waited", async () => {
    const newest = [{ ...TRANSFER, block: 1_000, reverted: true }];
    const failed = record({
      status: "failed",
      status_reason: "Transaction reverted on-chain (receipt status: failed)",
    });
    await is({ verdict: "pending", stage: "mined" }, [failed], newest);
    await is("reverted", [record({ status: "confirmed" })], newest);
  });

  test("is reverted if it reverted on the chain, with any record status", async () => {
    const reverted = [{ ...TRANSFER, ...BLOCK, reverted: true }];
    for (const status of ["submitted", "confirmed", "failed"]) await is("reverted", [record({ status })], reverted);
  });

  test("is pending and broadcast if it is in the pool", () =>
    is({ verdict: "pending", stage: "broadcast" }, [record()], [TRANSFER]));

  test("is failed if the record failed and the chain does not show it", async () => {
    await is("failed", [record({ status: "failed" })], []);
    await is("failed", [record({ status: "failed", hash: null, nonce: null })], []);
  });

  test("is pending in the pool, even with a failed record", async () =>
    expect(await verdict([record({ status: "failed" })], [TRANSFER])).toMatchObject({
      verdict: "pending",
      seen: { hash: ORIGINAL, block: undefined },
    }));

  test("is confirmed if it was mined, even with a failed record", () =>
    is("confirmed", [record({ status: "failed" })], [MINED]));

  test("is unsigned with a pending record without a nonce", () =>
    is({ verdict: "pending", stage: "unsigned" }, [record({ status: "pending", hash: null, nonce: null })], []));

  test("is compared with the requested values if a request is specified", async () => {
    const wanted = { to: TO, value: 2_000n, data: "0x" };
    const mined = [{ ...REPLACED, ...BLOCK }];
    await is("confirmed", [record()], mined, { wanted });
    await is("earlier_version", [record()], [MINED], { wanted });
  });

  test("a record with a hash and without a nonce is signed, and only its hash can settle it", async () => {
    await is({ verdict: "pending", stage: "signed" }, [record({ nonce: null })], []);
    await is("pending", [record({ nonce: null, status: "failed" })], []);
    await is("confirmed", [record({ nonce: null })], [MINED]);
  });
});

describe("a replacement after its original was mined", () => {
  const lost = record({ ...REPLACEMENT, ...CONSUMED });

  test("is an earlier version with a failed record, found by the nonce without its hash", async () => {
    const paid = await verdict([lost], [MINED]);
    expect(paid).toMatchObject({
      verdict: "earlier_version",
      isPresumed: true,
      seen: { hash: ORIGINAL, value: 1_000n },
    });
  });

  test("is certain if an earlier record or the original's hash is known", async () => {
    const mined = [MINED];
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
    await is({ verdict: "earlier_version", seen: { hash: ORIGINAL } }, [record(), phantom], [MINED]);
  });

  test("is an earlier version with a record that combines the original's hash and the replacement's value", async () => {
    const recovered = record({ ...REPLACEMENT, status: "confirmed", hash: ORIGINAL });
    await is({ verdict: "earlier_version", seen: { hash: ORIGINAL, value: 1_000n } }, [recovered], [MINED]);
    expect(byRecord([record(), record(REPLACEMENT), recovered])).toMatchObject({
      verdict: "earlier_version",
      isByRecord: true,
    });
  });

  test("is an earlier version even if the original reverted", () =>
    is("earlier_version", [record(), lost], [{ ...TRANSFER, ...BLOCK, reverted: true }]));

  test("is pending if the node does not show which transaction used the nonce", async () => {
    const old = { state: 128, indexed: false };
    const unsent = { ...lost, sent_at: null, created_at: null };
    expect(await verdict([unsent], [{ ...TRANSFER, block: 500 }], {}, old)).toMatchObject({
      verdict: "pending",
      missing: ["the node no longer has the state of earlier blocks"],
    });
  });

  test("is pending without the chain", () => expect(byRecord([lost])).toMatchObject({ verdict: "pending" }));
});

test("a mined replacement is confirmed with another hash", async () => {
  const mined = [{ ...REPLACED, ...BLOCK }];
  expect(await verdict([record(), record({ ...REPLACEMENT, hash: THIRD, status: "confirmed" })], mined)).toMatchObject({
    verdict: "confirmed",
    seen: { hash: THIRD, value: 2_000n },
  });
  await is("confirmed", [record(), record(REPLACEMENT)], mined);
});

describe("a cancellation", () => {
  const canceling = record(CANCELLATION);

  test("is canceled if its no-op was mined, with any record status", async () => {
    for (const status of ["submitted", "canceled", "confirmed"]) {
      const canceled = record({ ...CANCELLATION, status, hash: NOOP_HASH });
      await is("canceled", [canceled], [{ ...NOOP, ...BLOCK }]);
    }
  });

  test("is too late if the record is confirmed with the original's hash", async () => {
    const late = record({ ...CANCELLATION, status: "confirmed" });
    await is({ verdict: "cancel_too_late", seen: { hash: ORIGINAL, value: 1_000n, to: TO } }, [late], [MINED]);
    expect(byRecord([record(), canceling, late])).toMatchObject({ verdict: "cancel_too_late", isByRecord: true });
    expect(byRecord([late])).toMatchObject({ verdict: "pending" });
  });

  test("is too late if the original was mined and the record is still submitted", async () => {
    const sent = record({ ...CANCELLATION, hash: NOOP_HASH });
    await is("cancel_too_late", [record(), sent], [MINED]);
    await is({ verdict: "cancel_too_late", isPresumed: true }, [sent], [MINED]);
  });

  test("is canceled immediately for a transaction without a hash", async () => {
    const early = record({
      status: "canceled",
      status_reason: "Transaction canceled by user",
      hash: null,
      nonce: null,
    });
    await is("canceled", [early], []);
    expect(byRecord([early])).toMatchObject({ verdict: "canceled" });
    // A malformed receiver: a nonce, and never a signature.
    await is("canceled", [{ ...early, nonce: 4, to: "0x12" }], []);
  });

  test("with a later replacement is canceled if its no-op was mined, and confirmed if the replacement was", async () => {
    const live = record({ ...REPLACEMENT, is_canceled: true });
    await is("canceled", [canceling, live], [{ ...NOOP, ...BLOCK }]);
    await is("confirmed", [canceling, live], [{ ...REPLACED, ...BLOCK }]);
    expect(byRecord([{ ...live, status: "confirmed" }])).toMatchObject({ verdict: "pending" });
  });

  test("without is_canceled is recognized by its reason or an earlier record", async () => {
    const old = { ...record(CANCELLATION), is_canceled: null, status: "confirmed" };
    await is("canceled", [old], [{ ...NOOP, hash: ORIGINAL, ...BLOCK }]);
    await is("cancel_too_late", [old], [MINED]);
    const silent = { ...old, status_reason: null };
    await is("canceled", [record(), silent], [{ ...NOOP, hash: ORIGINAL, ...BLOCK }]);
  });

  test("is compared with the chain if a cancellation is specified", async () => {
    const wanted = "cancellation" as const;
    await is("canceled", [record()], [{ ...NOOP, ...BLOCK }], { wanted });
    await is("cancel_too_late", [record()], [MINED], { wanted });
  });

  test("of a payment by another user does not call it a replacement", async () => {
    const wanted = { to: TO, value: 1_000n, data: "0x" };
    const canceled = record({ ...CANCELLATION, hash: NOOP_HASH, is_canceled: true });
    const { verdict: found, why } = await verdict([record(), canceled], [{ ...NOOP, ...BLOCK }], { wanted });
    expect([found, why]).toEqual(["canceled", "its cancellation is on the chain instead"]);
  });

  test("is pending with a canceled record until the chain has used the nonce", async () => {
    const early = record({ ...CANCELLATION, status: "canceled", hash: NOOP_HASH });
    await is("pending", [early], []);
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
  ])("a replacement %s", (_, cap, expected) => is(expected, [record(), put], pool, { cap }));

  test("is not assumed for one that is not known to be sent, and is sent again as it is", async () => {
    const sent = { ...put, status: "sent", sent_at: null };
    await is("pending", [record(), sent], pool, { cap: 10_500_000_000n });
    const lower = { ...sent, max_fee_per_gas: "10900000000" };
    await is("never_broadcast", [record(), lower], pool, { cap: 10_500_000_000n });
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
    await is("never_broadcast", [record(REPLACEMENT), again], [waiting], { cap, hashes: [waiting.hash] });
    await is("pending", [record(), record(REPLACEMENT), again], [waiting], { cap });
  });

  test("is not assumed for a hash that no node knows, since the hash in a PUT response is rarely sent", async () => {
    await is("pending", [put], [], { cap: 11_500_000_000n });
    await is("pending", [record(), put], [], { cap: 11_500_000_000n });
  });

  test("is not a replacement that the node knows", async () => {
    const sent = [TRANSFER, { ...REPLACED, hash: PUT }];
    await is("pending", [record(), put], sent, { cap: 11_500_000_000n });
  });

  test("is not a replacement whose hash could not be looked up", async () => {
    const chain = chainNode({ height: 1_000, transactions: [...EARLIER, TRANSFER] });
    const ask: typeof chain.ask = (method, params) =>
      listOf(params)[0] === PUT ? Promise.resolve(fault("unreadable")) : chain.ask(method, params);
    const records: Records = [record(), put];
    const facts = await readExaminedFacts({ name: "n", ask }, { records, network: UNKNOWN, now: NOW });
    const evidence = { ...NETWORK, records, ...("value" in facts && { chain: facts.value }) };
    expect(verdictOfEvidence({ ...evidence, cap: 11_500_000_000n })).toMatchObject({ verdict: "pending" });
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
    const facts = await readExaminedFacts(
      { name: "n", ask: legacyPool(node) },
      { records: [old, raised], network: UNKNOWN, now: NOW },
    );
    const chain = "value" in facts ? facts.value : undefined;
    const evidence = { ...NETWORK, records: [old, raised] as const, chain };
    expect(verdictOfEvidence({ ...evidence, cap: 12_000_000_000n })).toMatchObject({ verdict: "never_broadcast" });
    expect(verdictOfEvidence({ ...evidence, cap: 12_100_000_000n })).toMatchObject({ verdict: "pending" });
  });

  test("is not a cancellation, which has no cap", async () => {
    const canceling = record({ ...CANCELLATION, hash: NOOP_HASH });
    await is("pending", [record(), canceling], pool, { cap: 1n });
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
    await is(expected, [record(), unraised], pool, { isUnraised: true });
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
    await is("pending", [record(), unraised], pool, { isUnraised: true, market });
    const half = { ...market, max_priority_fee_per_gas: 1_099_999_999n };
    await is("never_broadcast", [record(), unraised], pool, { isUnraised: true, market: half });
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

  test("is expired if its no-op was mined, with a confirmed record", () =>
    is("expired", [expired], [{ ...NOOP, ...BLOCK }]));

  test("is an earlier version if the original was mined", () =>
    is({ verdict: "earlier_version", seen: { hash: ORIGINAL } }, [expired], [MINED]));

  test("is expired if it was never signed, with a failed record", async () => {
    const unsigned = record({ status: "failed", hash: null, nonce: null, ...reason });
    await is("expired", [unsigned], []);
    expect(byRecord([unsigned])).toMatchObject({ verdict: "expired" });
  });

  test("is pending without the chain", () => expect(byRecord([expired])).toMatchObject({ verdict: "pending" }));

  test("is failed with the reason of another no-op", async () => {
    const withdrawn = { ...expired, status_reason: "Rollup transaction has too many attempts. Replacing with NOOP." };
    await is("failed", [withdrawn], [{ ...NOOP, ...BLOCK }]);
  });

  test("is confirmed with the reason of a gap-filling no-op", async () => {
    const gap = { ...expired, status_reason: "Gap-filling NOOP for nonce 4" };
    await is("confirmed", [gap], [{ ...NOOP, ...BLOCK }]);
  });
});

describe("a nonce used by an unknown transaction", () => {
  const foreign = { hash: FOREIGN, from: OWN, to: OWN.replace("70", "99"), value: 7n, nonce: 4, block: 990 };

  test("is presumed to be an earlier version, since sending again could pay twice", () =>
    is({ verdict: "earlier_version", isPresumed: true }, [record()], [foreign]));

  test("is foreign if the transaction was mined before the record was created", () =>
    is({ verdict: "foreign", seen: { hash: FOREIGN, value: 7n } }, [record()], [{ ...foreign, block: 500 }]));

  test("is foreign if the transaction belongs to another record with the same nonce", async () => {
    const others = [record({ id: "tx-2", hash: FOREIGN })];
    await is("foreign", [record()], [foreign], { others });
    await is("earlier_version", [record()], [foreign], { others: [record({ hash: FOREIGN })] });
  });

  test("is foreign if all versions are known", () => is("foreign", [record()], [foreign], { isComplete: true }));

  test("does not change a failed or canceled record if a no-op used it", async () => {
    const gap = [{ ...NOOP, hash: FOREIGN, ...BLOCK }];
    const malformed = { to: "0x12", hash: null };
    await is("failed", [record({ ...malformed, status: "failed" })], gap);
    await is("canceled", [record({ ...malformed, status: "canceled" })], gap);
  });

  test("is not affected by hashes of other senders and nonces", async () => {
    const other = [{ ...TRANSFER, hash: FOREIGN, from: TO, nonce: 0, ...BLOCK }, TRANSFER];
    await is("pending", [record()], other, { hashes: [FOREIGN] });
  });
});

describe("a record with a misleading status", () => {
  test("is confirmed or pending if it is sent without sent_at", async () => {
    const sent = record({ status: "sent", sent_at: null });
    await is("confirmed", [sent], [MINED]);
    await is("pending", [sent], []);
  });

  test("stays confirmed despite a reason that looks like a failure", async () => {
    const worrying = record({ status: "confirmed", status_reason: "Nonce error during submission: NonceTooLow" });
    await is("confirmed", [worrying], [MINED]);
    expect(byRecord([worrying])).toMatchObject({ verdict: "confirmed", isByRecord: true });
  });
});

describe("a record that lost its hash", () => {
  const RESET = { hash: null, nonce: null, sent_at: null };

  test.each(["pending", "canceled", "failed", "expired"])(
    "is pending while the transaction that was sent waits: %s",
    async (status) => {
      const records: Records = [record(), record({ ...RESET, status })];
      await is("pending", records, [TRANSFER]);
      await is("pending", records, []);
      if (status === "failed") expect(byRecord(records)).toMatchObject({ verdict: "pending" });
    },
  );

  test("is confirmed if the transaction that was sent was mined", async () => {
    const records: Records = [record(), record({ ...RESET, status: "pending" })];
    await is("confirmed", records, [MINED]);
  });
});

describe("a transaction that was never signed", () => {
  const unsigned = (status: string) => record({ status, hash: null, sent_at: null });
  const other = { ...TRANSFER, hash: FOREIGN, value: 77n, ...BLOCK };

  test.each(["canceled", "failed"])("is %s even if another transaction used its nonce", async (status) => {
    await is({ verdict: status, stage: "unsigned" }, [unsigned(status)], [other]);
  });

  test("is not canceled if its version was mined all the same", async () => {
    const found = await verdict([unsigned("canceled")], [MINED]);
    expect(found).toMatchObject({ verdict: "cancel_too_late" });
  });
});

describe("a deleted record", () => {
  test("is confirmed if the transaction was mined", () => is("confirmed", [record()], [MINED], { isGone: true }));

  test("is gone if the chain does not show the transaction, or is not used", async () => {
    await is("gone", [record()], [], { isGone: true });
    const unsigned = record({ status: "pending", hash: null, nonce: null });
    await is("gone", [unsigned], [], { isGone: true });
    expect(byRecord([record()], { isGone: true })).toMatchObject({ verdict: "gone", isByRecord: true });
  });

  test("is pending while its transaction is in the pool", () =>
    is("pending", [record()], [TRANSFER], { isGone: true }));
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
    const facts = await readExaminedFacts(lying, { records, network: UNKNOWN, now: NOW });
    expect(verdictOfEvidence({ ...NETWORK, records, ...("value" in facts && { chain: facts.value }) })).toMatchObject({
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
    await is("failed", [record({ status: "failed" })], []);
  });

  test("reports a receipt for another hash as missing, and passes on its faults", async () => {
    const chain = chainNode({ height: 1_000, indexed: true, transactions: [...EARLIER, MINED] });
    const ask: typeof chain.ask = (method, params) =>
      chain.ask(method, method === "eth_getTransactionReceipt" ? [hash("3")] : params);
    const records: Records = [record()];
    const facts = await readExaminedFacts({ name: "n", ask }, { records, network: UNKNOWN, now: NOW });
    const missing = ["the response to eth_getTransactionReceipt is about another transaction"];
    expect(facts).toMatchObject({ value: { missing } });
    expect(verdictOfEvidence({ ...NETWORK, records, ...("value" in facts && { chain: facts.value }) })).toMatchObject({
      verdict: "pending",
      why: "it is mined, but its receipt is missing",
      missing,
    });
    const confirmed: Records = [record({ status: "confirmed" })];
    expect(
      verdictOfEvidence({ ...NETWORK, records: confirmed, ...("value" in facts && { chain: facts.value }) }),
    ).toMatchObject({
      verdict: "confirmed",
      why: "the record reads confirmed, but its receipt is missing",
      isByRecord: true,
    });
    expect(
      await readExaminedFacts(
        fakeNode(() => fault("unreachable")),
        { records, network: UNKNOWN, now: NOW },
      ),
    ).toEqual(fault("unreachable"));
  });
});

const PRICES = { maxFee: undefined, maxTip: undefined, gasPrice: undefined, gasLimit: undefined };
