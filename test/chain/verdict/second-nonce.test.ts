import { readExaminedFacts } from "../../../src/chain/examine.ts";
import { UNKNOWN } from "../../../src/chain/network.ts";
import type { Evidence } from "../../../src/chain/verdict/evidence.ts";
import { verdictOfEvidence } from "../../../src/chain/verdict/verdict-of.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { chainNode, type Mined, NOW } from "../fake-chain.ts";
import { CANCELLATION, EARLIER, NOOP, NOOP_HASH, ORIGINAL, PUT, record, TO, TRANSFER } from "./records.ts";

const SECOND = { hash: PUT, nonce: 5 };
/** What was seen of a record that the service sent with the nonces 4 and 5. */
const SEEN = [record(), record(SECOND)] as const;
const FIRST_MINED = { ...TRANSFER, block: 990 };
const SECOND_WAITING = { ...TRANSFER, ...SECOND };
const SECOND_MINED = { ...SECOND_WAITING, block: 991 };
const CANCELED = record({ ...SECOND, ...CANCELLATION, status: "canceled", hash: NOOP_HASH });
const NOOP_MINED = { ...NOOP, nonce: 5, block: 992 };

async function verdict(
  mined: readonly Mined[],
  { records = SEEN, ...more }: { records?: readonly [Transaction, ...Transaction[]]; hashes?: string[] } = {},
) {
  const node = chainNode({ height: 1_000, indexed: true, transactions: [...EARLIER, ...mined] });
  const facts = await readExaminedFacts(node, { records, network: UNKNOWN, now: NOW, ...more });
  if ("fault" in facts) throw new Error(facts.fault.words);
  return verdictOfEvidence({ records, kind: "evm", confirmations: 1n, isUnraised: false, chain: facts.value });
}

const byRecord = (newest: Partial<Transaction>) => {
  const evidence: Evidence = { records: [record(), record(newest)], kind: "evm", confirmations: 1n, isUnraised: false };
  return verdictOfEvidence(evidence);
};

test("is not confirmed if both were mined: the verdict shows the one that the record does not", async () =>
  expect(await verdict([FIRST_MINED, SECOND_MINED])).toMatchObject({
    verdict: "earlier_version",
    why: `it was mined twice: ${ORIGINAL} with nonce 4, and ${PUT} with nonce 5`,
    seen: { hash: ORIGINAL, to: TO, value: 1_000n, block: 990n },
  }));

test("may be paid twice if the first was mined and the second waits", async () => {
  const found = await verdict([FIRST_MINED, SECOND_WAITING]);
  expect(found).toMatchObject({ verdict: "earlier_version", seen: { hash: ORIGINAL } });
  expect(found.why).toBe(`${ORIGINAL} with nonce 4 was mined, and ${PUT} with nonce 5 may be mined as well`);
});

test("is not canceled if only the second was canceled", async () => {
  const records = [record(), CANCELED] as const;
  expect(await verdict([FIRST_MINED, NOOP_MINED], { records })).toMatchObject({
    verdict: "cancel_too_late",
    seen: { hash: ORIGINAL },
  });
});

test("is not failed if only the second failed", async () => {
  const records = [record(), record({ ...SECOND, status: "failed" })] as const;
  expect(await verdict([FIRST_MINED], { records })).toMatchObject({
    verdict: "earlier_version",
    why: `${ORIGINAL} with nonce 4 was mined, with a different nonce from the record's`,
  });
});

test("is pending while the first is not deep enough, waits, or is not known to the node", async () => {
  const high = { ...FIRST_MINED, block: 1_000 };
  expect(await verdict([high, SECOND_MINED])).toMatchObject({ verdict: "pending" });
  expect(await verdict([TRANSFER, SECOND_MINED])).toMatchObject({
    verdict: "pending",
    why: `${ORIGINAL} with nonce 4 waits to be mined, in addition to the record's nonce`,
  });
  expect(await verdict([NOOP_MINED], { records: [record(), CANCELED] })).toMatchObject({
    verdict: "pending",
    why: `it was also sent as ${ORIGINAL}, which may be mined`,
  });
});

test("is what became of the second if the first reverted", async () => {
  const reverted = { ...FIRST_MINED, reverted: true };
  expect(await verdict([reverted, SECOND_MINED])).toMatchObject({ verdict: "confirmed", seen: { hash: PUT } });
});

test("is reverted, not failed, if the first reverted and the second failed, once no reorganization can change that", async () => {
  const records = [record(), record({ ...SECOND, status: "failed" })] as const;
  const reverted = { ...FIRST_MINED, reverted: true };
  expect(await verdict([reverted], { records })).toMatchObject({
    verdict: "reverted",
    why: `${ORIGINAL} with nonce 4 was mined and reverted, with a different nonce from the record's`,
    seen: { hash: ORIGINAL },
  });
  expect(await verdict([{ ...reverted, block: 1_000 }], { records })).toMatchObject({ verdict: "pending" });
});

test("is found by the hash of the first alone, as far as it can be presumed", async () => {
  const question = { records: [record(SECOND)] as const, hashes: [ORIGINAL] };
  expect(await verdict([FIRST_MINED, SECOND_MINED], question)).toMatchObject({
    verdict: "earlier_version",
    isPresumed: true,
  });
  const other = { ...FIRST_MINED, value: 7n };
  expect(await verdict([other, SECOND_MINED], question)).toMatchObject({ verdict: "confirmed" });
});

test.each(["confirmed", "failed", "canceled", "expired"])(
  "is pending with a record that reads %s, if the chain cannot be asked",
  (status) => {
    expect(byRecord({ ...SECOND, status })).toMatchObject({ verdict: "pending" });
    expect(byRecord({ ...SECOND, nonce: 4, status: "canceled" })).toMatchObject({ verdict: "canceled" });
  },
);
