import { readExaminedFacts } from "../../../src/chain/examine.ts";
import { UNKNOWN } from "../../../src/chain/network.ts";
import type { ChainNode, Reading } from "../../../src/chain/node/node.ts";
import { verdictOfEvidence } from "../../../src/chain/verdict/verdict-of.ts";
import { isJsonObject, type JsonValue } from "../../../src/contract/json.ts";
import { chainNode, type Mined, NOW } from "../fake-chain.ts";
import { fault } from "../fake-node.ts";
import { EARLIER, FOREIGN, hash, PUT, REPLACED, REPLACEMENT, record, TRANSFER } from "./records.ts";

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
