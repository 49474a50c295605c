import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { cli, ends, says } from "../helpers/cli.ts";
import { seedState } from "../helpers/seed-state.ts";

test("sums values and fees exactly, in groups of one coin", async () => {
  const ran = await ends({ exitCode: 0, writes: [] }, "spend base-hot --demo -o json");
  expect(JSON.parse(ran.stdout)).toEqual([
    {
      ...{ by: "base-hot", coin: "ETH", value: 60_000_000_000_000_000, fee: 77_700_000_000_000 },
      ...{ sent: 2, failed: 0, reverted: 0 },
    },
  ]);
});

test.each([
  ["day", ["2026-11-20"]],
  ["receiver", ["0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc", "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]],
  ["label", [null]],
  ["coin", ["ETH"]],
])("groups by %s", async (by, groups) => {
  const ran = await cli(`spend base-hot --by ${by} --demo -o json`);
  const found = JSON.parse(ran.stdout);
  expect(found.map((group: { by: string }) => group.by)).toEqual(groups);
  expect(found.reduce((sum: number, { sent }: { sent: number }) => sum + sent, 0)).toBe(2);
});

test("counts a transaction once if two relayers have its address, and for each of them by relayer", async () => {
  const state = seedState("demo");
  const [hot] = state.relayers.held().filter(({ id }) => id === "base-hot");
  state.relayers.put({ ...hot, id: "base-twin" });
  const world = { store: memoryStore(state) };
  const sent = async (by: string) =>
    JSON.parse((await cli(`spend base-hot base-twin --by ${by} -o json`, world)).stdout).map(
      (row: { sent: number }) => row.sent,
    );
  expect([await sent("coin"), await sent("day"), await sent("relayer")]).toEqual([[2], [2], [2, 2]]);
  expect((await cli("spend base-hot base-twin -o csv", world)).stdout.split("\r\n")).toHaveLength(4);
});

test("is complete although the nonce of a pending record is far beyond the account's", async () => {
  const state = seedState("demo");
  const [first] = state.transactions.held().filter(({ relayer_id: id }) => id === "base-hot");
  state.transactions.put({ ...first, id: "far", nonce: 2 ** 53 - 1, status: "submitted" } as never);
  const ran = await ends({ exitCode: 0 }, "spend base-hot -o json", { store: memoryStore(state) });
  expect(JSON.parse(ran.stdout)).toMatchObject([{ by: "base-hot", sent: 2 }]);
});

test("counts failed transactions of an account that the chain shows nothing of", async () => {
  const state = seedState("demo");
  const [record] = state.transactions.held().filter(({ transaction }) => transaction !== undefined);
  state.transactions.put({ ...record, id: "failed", status: "failed", signature: undefined } as never);
  const ran = await cli("spend sol-pay -o json", { store: memoryStore(state) });
  expect(JSON.parse(ran.stdout)).toMatchObject([{ by: "sol-pay", sent: 0, failed: 1 }]);
});

test("prints one row for each transaction as csv", async () => {
  const ran = await cli("spend base-hot --demo -o csv");
  const [header, first] = ran.stdout.split("\r\n");
  expect(header).toBe("time,hash,relayer,nonce,value,fee,receiver,label,reason,coin");
  expect(first).toMatch(/^2026-11-20T23:20:38.000Z,0x9f8ab2bf\w{56},base-hot,0,20000000000000000,38850000000000,0x/);
});

test("without spending, prints only the header as csv, and names no time that was not asked for", async () => {
  const { stdout, stderr } = await cli("spend sol-pay --demo -o csv");
  expect([stdout.split("\r\n").length, stderr.split("\n")[0]]).toEqual([2, "no spending was found in demo"]);
});

test("is what `history costs` printed with --mine", async () => {
  const mine = await ends({ exitCode: 0, stdout: "[]\n" }, "spend --mine --demo -o json");
  const { stdout, stderr, exitCode } = mine;
  expect(await cli("history costs --demo -o json")).toMatchObject({ stdout, stderr, exitCode });
  expect((await cli("help history costs")).stdout).toBe((await cli("help spend")).stdout);
});

test.each([
  ["spend --mine --by day", "--by"],
  ["spend base-hot --mine", "<relayer-id>"],
  ["spend --fields hash", "has no hash in this form"],
  ["spend -o csv --fields by", "has no by in this form"],
  ["spend --since x", "--since"],
])("refuses %s", (line, words) => says({ exitCode: 2, stdout: "", requests: [] }, `${line} --demo`, words));

test("fits a terminal of 60 columns", async () => {
  const ran = await cli("spend base-hot eth-main-1 --demo --color never", { terminal: true, columns: 60 });
  expect(ran.stdout).toMatchSnapshot();
});
