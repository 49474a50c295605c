import type { Receipt } from "../../../src/chain/evm/read-evm.ts";
import type { Examined } from "../../../src/chain/examine.ts";
import type { HashFacts, VerdictWord } from "../../../src/chain/verdict/verdict.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { BASE } from "../../../src/embedded-server/seed/relayers.ts";
import { historyCost, historyCostMembers, recordedHistoryCost } from "../../../src/views/history/costs.ts";
import { cli, ends, exits } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { configOf, intent, NOON, outcome, recorded } from "./recorded.ts";

describe("history costs", () => {
  const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

  async function paidWorld(to = TO) {
    const world = {
      env: {},
      config: configOf("prod"),
      journal: memoryJournal(),
      store: demoStore(),
    };
    await exits(0, `tx send base-hot --to ${to} --value 3gwei --gas-limit 21000 --speed fast --yes --wait`, world);
    // An hour later, since each run's clock starts at the same time.
    const clock = manualClock(Date.parse("2026-11-21T04:12:07Z"));
    return { ...world, clock, service: testServer({ store: world.store, clock }) };
  }

  test("sums fees and values exactly, and reads each transaction only once", async () => {
    const world = await paidWorld();
    const before = world.journal.entries.length;
    const ran = await exits(0, "history costs -o json", world);
    const [costs] = JSON.parse(ran.stdout);
    expect(costs).toMatchObject({
      relayer_id: "base-hot",
      coin: "ETH",
      unit: "wei",
      transactions: 1,
      value: "3000000000",
      pending: 0,
      missing: 0,
    });
    expect(costs.value_in_coin).toBe("0.000000003");
    expect(BigInt(costs.fees) % 21_000n).toBe(0n);
    expect(world.journal.entries.slice(before)).toMatchObject([
      { applied: "yes", settledLater: true, after: { fee_paid: expect.any(String), value_paid: expect.any(String) } },
    ]);
    const again = await ends({ stdout: ran.stdout }, "history costs -o json", world);
    expect(again.requests.filter(({ target }) => /transactions|rpc/.test(target))).toEqual([]);
    const drawn = await cli("history costs", { ...world, terminal: true });
    expect(drawn.stdout).toContain("0.000000003 ETH");
  });

  test("counts only the fee of a transfer to the relayer itself", async () => {
    const ran = await exits(0, "history costs -o json", await paidWorld(BASE));
    expect(JSON.parse(ran.stdout)).toMatchObject([{ relayer_id: "base-hot", transactions: 1, value: "0" }]);
  });

  test("keeps every digit of the sums of several relayers and coins", async () => {
    const big = 2n ** 70n + 1n;
    const sent = [
      ["a", "base-hot", big, 3n],
      ["b", "base-hot", big, 4n],
      ["c", "polygon-bulk", 2n ** 53n + 1n, 1n],
      ["d", "eth-main-1", 1n, 2n ** 64n],
    ] as const;
    const entries = sent.flatMap(([id, relayer, value, fee]) => [
      intent(id, { operation: "tx.send", kind: "once", ids: { relayer_id: relayer } }),
      outcome(id, { after: { id: `tx-${id}`, fee_paid: String(fee), value_paid: String(value) } }),
    ]);
    const ran = await exits(0, "history costs -o json", recorded(entries));
    const costs = JSON.parse(ran.stdout).toSorted((one: { relayer_id: string }, other: { relayer_id: string }) =>
      one.relayer_id.localeCompare(other.relayer_id),
    );
    expect(costs).toMatchObject([
      { relayer_id: "base-hot", coin: "ETH", transactions: 2, value: String(2n * big), fees: "7" },
      { relayer_id: "eth-main-1", coin: "ETH", value: "1", fees: "18446744073709551616" },
      { relayer_id: "polygon-bulk", coin: "POL", value: "9007199254740993", fees: "1" },
    ]);
    expect(costs[0].value_in_coin).toBe("2361.18324143482260685");
  });

  test("counts only since the requested time", async () => {
    const world = await paidWorld();
    const none = await cli("history costs --since 2030-01-01", world);
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "no sent transactions in the journal of prod\n" });
    expect((await cli("history costs --since x", world)).exitCode).toBe(2);
  });

  test.each([
    ["older than the requested time", "2026-08-20T09:00:00Z", "2026-08-20T11:55:00Z"],
    ["from after the clock was set back by hours", "2026-08-20T11:55:00Z", "2026-08-20T09:00:00Z"],
  ])("says that the fees of today lack a transaction, even if it is %s", async (_, first, second) => {
    const sentAt = (id: string, time: string, after: JsonObject) => [
      intent(id, { operation: "tx.send", kind: "once", time }),
      outcome(id, { after: { id: `tx-${id}`, ...after } }),
    ];
    const known = { fee_paid: "5", value_paid: "1" };
    const isFirstLost = first < second;
    const entries = [...sentAt("a", first, isFirstLost ? {} : known), ...sentAt("b", second, isFirstLost ? known : {})];
    const lose = async () => {
      throw lost();
    };
    const world = recorded(entries, { clock: manualClock(NOON), service: lose });
    const ran = await exits(12, "history costs --since 30m -o json", world);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ fees_today: "5", missing: 1 }]);
    expect(ran.stderr).toContain("1 of 2 transactions could not be read");
  });

  test("lists on stderr what is missing, and exits with 12 only if something failed", async () => {
    const sent = intent("a", { operation: "tx.send", ids: { relayer_id: "xlm-pay" } });
    const gone = [sent, outcome("a", { after: { id: "t1", source_account: "G" } })];
    const open = intent("b", { operation: "tx.send" });
    const ran = await exits(0, "history costs -o json", recorded([...gone, open]));
    expect(JSON.parse(ran.stdout)).toMatchObject([{ transactions: 0, missing: 1 }]);
    expect(ran.stderr).toContain("missing: t1: only the fees of EVM transactions are read");
    expect(ran.stderr).toContain("1 sends of unknown outcome");
    const refusing = async () => ({ status: 500, headers: {}, body: new TextEncoder().encode("{}") });
    const failed = await exits(12, "history costs -o tsv", recorded(gone, { service: refusing as never }));
    expect(failed.stderr).toContain("1 of 1 transactions could not be read");
  });

  test("with --dry-run shows what it would read", async () => {
    const entries = [intent("a", { operation: "tx.send" }), outcome("a", { after: { id: "t1" } })];
    await ends(
      { exitCode: 0, requests: [], stdout: expect.stringContaining("GET /api/v1/relayers/base-hot/transactions/t1") },
      "history costs --dry-run",
      recorded(entries),
    );
  });
});

const ACCOUNT = "0x02";
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
  (word) => expect(historyCost(examined(word), ACCOUNT)).toEqual({ fee: FEE, value: 5n, hash: HASH, block: 42n }),
);

test.each(["earlier_version", "cancel_too_late"] as const)(
  "%s is missing if another client may have used the nonce",
  (word) => {
    const { verdict, ...rest } = examined(word);
    const missing = historyCost({ ...rest, verdict: { ...verdict, isPresumed: true } }, ACCOUNT);
    expect(missing).toEqual({ missing: "why", isFault: false });
  },
);

test.each(["reverted", "canceled", "expired", "failed"] as const)("%s costs its fee, and moved nothing", (word) => {
  expect(historyCost(examined(word), ACCOUNT)).toEqual({ fee: FEE, value: 0n, hash: HASH, block: 42n });
  expect(historyCost(examined(word, { mined: false }), ACCOUNT)).toEqual({ fee: 0n, value: 0n });
});

test.each(["pending", "never_broadcast"] as const)("%s has no cost yet", (word) => {
  expect(historyCost(examined(word), ACCOUNT)).toEqual({ open: "why" });
});

test.each(["foreign", "gone"] as const)("%s has no known cost, although nothing failed", (word) => {
  expect(historyCost(examined(word), ACCOUNT)).toEqual({ missing: "why", isFault: false });
});

test("the fee for data on another chain counts", () =>
  expect(historyCost(examined("confirmed", { receipt: { ...RECEIPT, dataFee: 7n } }), ACCOUNT)).toMatchObject({
    fee: FEE + 7n,
  }));

test("without a receipt or a node, the cost is missing", () => {
  const unread = { ...RECEIPT, gasPrice: undefined };
  expect(historyCost(examined("confirmed", { receipt: unread }), ACCOUNT)).toMatchObject({ isFault: true });
  const fault = { kind: "unreachable" as const, words: "no response" };
  expect(historyCost({ ...examined("confirmed"), fault }, ACCOUNT)).toEqual({
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
