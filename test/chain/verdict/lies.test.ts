import { readExaminedFacts } from "../../../src/chain/examine.ts";
import { UNKNOWN } from "../../../src/chain/network.ts";
import type { ChainNode, Reading } from "../../../src/chain/node/node.ts";
import type { Evidence } from "../../../src/chain/verdict/verdict.ts";
import { verdictOfEvidence } from "../../../src/chain/verdict/verdict-of.ts";
import { isJsonObject, type JsonValue } from "../../../src/contract/json.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { chainNode, type Mined, NOW } from "../fake-chain.ts";
import { fakeNode, fault } from "../fake-node.ts";
import {
  CANCELLATION,
  EARLIER,
  FOREIGN,
  hash,
  NOOP,
  NOOP_HASH,
  ORIGINAL,
  PUT,
  REPLACED,
  REPLACEMENT,
  record,
  TO,
  TRANSFER,
} from "./records.ts";

type Lie = (truth: JsonValue) => Reading<JsonValue>;

const other = (members: object): Lie => {
  return (truth) => ({ value: isJsonObject(truth) ? { ...truth, ...members } : truth });
};
const always = (value: JsonValue): Lie => {
  return () => ({ value });
};
const QUANTITIES: [string, JsonValue][] = [
  ["null", null],
  ["a number", 5],
  ["decimal digits", "5"],
  ["a negative quantity", "-0x5"],
  ["a quantity that is not hex", "0x5g"],
  ["an empty quantity", "0x"],
  ["100,000 digits", `0x${"5".repeat(100_000)}`],
  ["a list", ["0x5"]],
  ["an object", {}],
];

/** Each member of each result with a value of another type; and what each method may say besides the truth. */
const LIES: [string, string, Lie][] = [
  ...["hash", "from", "to", "value", "nonce", "blockNumber"].flatMap((member) =>
    QUANTITIES.map(([name, value]): [string, string, Lie] => [
      `${name} as ${member}`,
      "eth_getTransactionByHash",
      member === "to" || (member === "blockNumber" && value === null) ? other({}) : other({ [member]: value }),
    ]),
  ),
  ...["transactionHash", "blockNumber", "status"].flatMap((member) =>
    QUANTITIES.map(([name, value]): [string, string, Lie] => [
      `${name} as ${member}`,
      "eth_getTransactionReceipt",
      member === "status" && value === null ? other({}) : other({ [member]: value }),
    ]),
  ),
  ...["number", "timestamp"].flatMap((member) =>
    QUANTITIES.map(([name, value]): [string, string, Lie] => [
      `${name} as ${member}`,
      "eth_getBlockByNumber",
      other({ [member]: value }),
    ]),
  ),
  ...["eth_getTransactionCount", "eth_getTransactionBySenderAndNonce"].flatMap((method) =>
    QUANTITIES.map(([name, value]): [string, string, Lie] => [name, method, always(value)]),
  ),
  ["another hash", "eth_getTransactionByHash", other({ hash: FOREIGN })],
  ["another sender", "eth_getTransactionByHash", other({ from: `0x${"99".repeat(20)}` })],
  ["another nonce", "eth_getTransactionByHash", other({ nonce: "0x9" })],
  ["a block above the newest one", "eth_getTransactionByHash", other({ blockNumber: "0x999999" })],
  ["another hash", "eth_getTransactionReceipt", other({ transactionHash: FOREIGN })],
  ["a block below the transaction's", "eth_getTransactionReceipt", other({ blockNumber: "0x1" })],
  ["a block above the transaction's", "eth_getTransactionReceipt", other({ blockNumber: "0x3e8" })],
  ["a status of 2", "eth_getTransactionReceipt", other({ status: "0x2" })],
  ["nothing", "eth_getTransactionReceipt", always(null)],
  ["a block of the future", "eth_getBlockByNumber", other({ timestamp: "0xffffffffff" })],
  ["an old block", "eth_getBlockByNumber", other({ number: "0x1" })],
  ["nothing", "eth_getTransactionByHash", always(null)],
  ["no nonce used", "eth_getTransactionCount", always("0x0")],
  ["many nonces used", "eth_getTransactionCount", always("0xffff")],
  ["the transaction of another sender", "eth_getTransactionBySenderAndNonce", other({ from: `0x${"99".repeat(20)}` })],
  ["another nonce", "eth_getTransactionBySenderAndNonce", other({ nonce: "0x9" })],
  ...["eth_getTransactionByHash", "eth_getTransactionReceipt", "eth_getBlockByNumber", "eth_getTransactionCount"].map(
    (method): [string, string, Lie] => ["an error", method, () => fault("failed")],
  ),
];

function lyingNode(mined: readonly Mined[], method: string, lie: Lie): ChainNode {
  const node = chainNode({ height: 1_000, indexed: true, transactions: [...EARLIER, ...mined] });
  return {
    name: "the node of evm-1",
    async ask(asked, params) {
      const reading = await node.ask(asked, params);
      return asked === method && "value" in reading ? lie(reading.value) : reading;
    },
  };
}

const BEFORE = record();
const AFTER = record(REPLACEMENT);
const wanted = { to: TRANSFER.to, value: 2_000n, data: "0x" };

describe.each<[string, readonly Mined[], string]>([
  ["mined", [{ ...REPLACED, block: 900 }], "confirmed"],
  ["mined and not deep enough", [{ ...REPLACED, block: 995 }], "pending"],
  ["mined and reverted", [{ ...REPLACED, block: 900, reverted: true }], "reverted"],
  ["overtaken by the original", [{ ...TRANSFER, block: 900 }], "earlier_version"],
  ["open", [{ ...REPLACED, hash: hash("c") }], "pending"],
])("a replacement that is %s", (_, mined, truth) => {
  // A reverted transaction never reads confirmed.
  const statuses = truth === "reverted" ? ["submitted", "failed"] : ["submitted", "confirmed"];
  test.each(statuses)("is reported as such or as pending if one method of the node is wrong: %s", async (status) => {
    const records = [
      BEFORE,
      { ...AFTER, status, hash: status === "confirmed" ? (mined[0]?.hash ?? PUT) : PUT },
    ] as const;
    const found: string[] = [];
    for (const [name, method, lie] of LIES) {
      const facts = await readExaminedFacts(lyingNode(mined, method, lie), { records, network: UNKNOWN, now: NOW });
      const chain = "value" in facts ? facts.value : undefined;
      if (!chain) continue;
      const evidence = {
        records,
        kind: "evm" as const,
        wanted,
        confirmations: 12n,
        isStrict: true,
        isUnraised: false,
        chain,
      };
      const { verdict } = verdictOfEvidence(evidence);
      if (verdict !== truth && verdict !== "pending") found.push(`${method}, ${name}: ${verdict}`);
    }
    expect(found).toEqual([]);
  });
});

const RECORDS = [record(), record(REPLACEMENT)] as const;

/** A node whose two newest blocks are reorganized after so many calls: the transaction in them waits from then on. */
function reorganized(mined: typeof TRANSFER, calls: number, indexed: boolean) {
  const before = chainNode({ height: 1_000, indexed, transactions: [...EARLIER, { ...mined, block: 999 }] });
  const after = chainNode({ height: 1_001, indexed, transactions: [...EARLIER, mined] });
  let asked = 0;
  const node = fakeNode(() => null);
  node.ask = (...question) => (asked++ < calls ? before : after).ask(...question);
  return { node, count: () => asked };
}

test.each([
  ["the replacement", REPLACED],
  ["the original", TRANSFER],
])("%s is pending if a reorganization removes it, whenever that happens", async (_, mined) => {
  for (const indexed of [true, false]) {
    const verdicts = new Set<string>();
    for (let calls = 0, asked = 1; calls <= asked; calls++) {
      const { node, count } = reorganized(mined, calls, indexed);
      const facts = await readExaminedFacts(node, { records: RECORDS, network: UNKNOWN, now: NOW });
      asked = count();
      const chain = "value" in facts ? facts.value : undefined;
      verdicts.add(
        verdictOfEvidence({ records: RECORDS, kind: "evm", confirmations: 2n, isUnraised: false, chain }).verdict,
      );
    }
    expect([...verdicts]).toEqual(["pending"]);
  }
});

describe("a payment with two nonces", () => {
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
    const evidence: Evidence = {
      records: [record(), record(newest)],
      kind: "evm",
      confirmations: 1n,
      isUnraised: false,
    };
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
});
