import type { AuditedNonce, NonceKind } from "../../src/audit/classify.ts";
import type { MinedTransaction } from "../../src/audit/mined-nonce.ts";
import { openAudit } from "../../src/audit/open-audit.ts";
import { createSpendGroups, GROUPINGS } from "../../src/audit/spend-groups.ts";
import { chainNode, NOW } from "../chain/fake-chain.ts";
import { DEEP } from "../helpers/deep.ts";
import { OWN, type SimulatedAccount, simulateAccount } from "./simulated-account.ts";

const COUNTS = DEEP ? [10_000, 100_000] : [2_000];
const MOST_AT_ONCE = 200;

async function* auditOf({ request }: SimulatedAccount): AsyncGenerator<readonly AuditedNonce[]> {
  const opened = await openAudit(request);
  if ("fault" in opened) throw new Error(opened.fault.words);
  yield* opened.value.rows();
  yield (await opened.value.gaps?.()) ?? [];
}

describe.each(COUNTS)("an audit of %i nonces", (count) => {
  test("finds every planted nonce and no other, with at most 2.2 requests each and few rows at a time", async () => {
    const account = simulateAccount(count);
    const found = new Map<NonceKind, number[]>();
    let next = 0;
    let most = 0;
    for await (const rows of auditOf(account)) {
      const mined = rows.filter(({ kind }) => kind !== "gap");
      most = Math.max(most, mined.length);
      for (const { nonce } of mined) expect(Number(nonce)).toBe(next++);
      for (const { nonce, kind } of rows)
        if (kind !== "recorded") found.set(kind, [...(found.get(kind) ?? []), Number(nonce)]);
    }
    expect(next).toBe(count);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(account.planted));
    expect(account.node.asked.length / count).toBeLessThanOrEqual(2.2);
    expect(most).toBeLessThanOrEqual(MOST_AT_ONCE);
  });

  test("sums to the wei what the chain has, in any groups", async () => {
    const account = simulateAccount(count);
    const all = GROUPINGS.map(createSpendGroups);
    for await (const rows of auditOf(account)) {
      const found = rows.flatMap(({ mined }) => mined ?? []);
      for (const row of found)
        for (const groups of all)
          groups.addMined(row, {
            ...{ relayerId: "evm-1", coin: "ETH", network: "mainnet" },
            ...row,
            label: undefined,
          });
    }
    const { mined } = account;
    const moved = mined.filter(({ reverted, to }) => !reverted && to !== OWN);
    for (const groups of all) {
      const sum = (of: "value" | "fee" | "sent" | "reverted") =>
        groups.list().reduce((total, group) => total + BigInt(group[of]), 0n);
      expect(sum("value")).toBe(moved.reduce((total, { value }) => total + value, 0n));
      expect(sum("fee")).toBe(mined.reduce((total, { paid }) => total + 21_000n * paid, 0n));
      expect(sum("sent")).toBe(BigInt(count));
      expect(sum("reverted")).toBe(BigInt(mined.filter(({ reverted }) => reverted).length));
    }
  });
});

test("adds no coins of two networks whose names are not known", () => {
  const mined = { value: 5n, fee: 2n, reverted: false } as MinedTransaction;
  for (const grouping of GROUPINGS) {
    const groups = createSpendGroups(grouping);
    for (const network of ["one", "two", "two"]) {
      const spent = { relayerId: "evm-1", coin: undefined, network, time: NOW, to: null, label: undefined };
      groups.addMined(mined, spent);
    }
    expect(groups.list().map(({ fee }) => fee)).toEqual([2n, 4n]);
  }
});

test.each([
  ["says that nothing was shown since a time if the clock of a development node is behind", 7_200, /is behind/],
  ["shows that an idle development node mined nothing since a time", 0, undefined],
])("an audit %s", async (_, behind, words) => {
  const chain = { height: 9, transactions: [], chainId: 31_337, age: 7_200, behind };
  const { request } = simulateAccount(1);
  const opened = await openAudit({
    ...{ ...request, node: chainNode(chain), network: { chainId: 31_337n, blockTime: 12_000 } },
    span: { since: NOW - 3_600_000 },
  });
  const { gapAfter } = "value" in opened ? opened.value : { gapAfter: opened.fault.words };
  expect(gapAfter ?? "").toMatch(words ?? /^$/);
});
