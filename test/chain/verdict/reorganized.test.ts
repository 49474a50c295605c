import { readExaminedFacts } from "../../../src/chain/examine.ts";
import { UNKNOWN } from "../../../src/chain/network.ts";
import { verdictOfEvidence } from "../../../src/chain/verdict/verdict-of.ts";
import { chainNode, NOW } from "../fake-chain.ts";
import { fakeNode } from "../fake-node.ts";
import { EARLIER, REPLACED, REPLACEMENT, record, TRANSFER } from "./records.ts";

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
