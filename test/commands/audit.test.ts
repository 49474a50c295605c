import type { Transport } from "../../src/client/transport/transport.ts";
import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { cli, ends, exits, says, type World } from "../helpers/cli.ts";
import { seedState } from "../helpers/seed-state.ts";
import { testServer } from "../helpers/service/test-server.ts";
import { intent, outcome, recorded } from "./history/recorded.ts";
import { addressOf, PURSE, toppingWorld } from "./topup/topping-world.ts";

/** The demo, with what was pending on Solana and Stellar confirmed. */
function payingWorld(): World {
  const state = seedState("demo");
  for (const record of state.transactions.held())
    if (["sol-pay", "xlm-treasury"].includes(String(record.relayer_id)))
      state.transactions.put({ ...record, status: "confirmed", confirmed_at: "2026-11-21T03:10:59Z" });
  return { store: memoryStore(state) };
}

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";

test("shows what became of each nonce, against what the service recorded", async () => {
  const ran = await ends({ exitCode: 0, writes: [] }, "audit base-hot --demo -o json");
  expect(JSON.parse(ran.stdout)).toMatchObject(
    [
      { nonce: 0, kind: "other_version", value: 20_000_000_000_000_000, to: TO, relayer_id: "base-hot", coin: "ETH" },
      { nonce: 1, kind: "cancel_lost", value: 40_000_000_000_000_000, evidence: ["chain", /^record:/] },
    ].map((row) => ({ ...row, evidence: expect.arrayContaining(["chain"]) })),
  );
  expect(ran.stderr).toBe("2 nonces: 1 other version, 1 cancel lost\nshown by: chain 100%, records 100%, journal 0%\n");
});

test("fails a check for a nonce that is foreign, doubled, missing, or of a version that no record shows, and only for those", async () => {
  expect((await cli("audit base-hot --demo --check --nonces 1..1")).exitCode).toBe(0);
  await says(13, "audit base-hot --demo --check", "the check did not pass: 1 other version that no record shows\n");
  const shown = JSON.parse((await cli("audit base-hot --demo -o json")).stdout);
  const ids: string[] = shown.map(({ evidence }: { evidence: string[] }) => evidence[1]?.replace("record:", ""));
  const time = "2026-11-20T23:00:00.000Z";
  const twice = ids.flatMap((id) => [
    intent(id, { operation: "tx.send", once: "invoice-1", ids: { relayer_id: "base-hot" }, time }),
    outcome(id, { after: { id, nonce: null, hash: null }, time }),
  ]);
  const ran = await exits(13, "audit base-hot --check", recorded(twice));
  expect(ran.stderr).toContain("the check did not pass: 1 doubled, 1 other version that no record shows");
});

test("reads the nonces of a range", async () => {
  const ran = await cli("audit base-hot --demo --nonces 1..1 -o json");
  expect(JSON.parse(ran.stdout)).toMatchObject([{ nonce: 1 }]);
});

test("lists no endless gap before a record whose nonce is far beyond the account's", async () => {
  const state = seedState("demo");
  const [first, second] = state.transactions.held().filter(({ relayer_id }) => relayer_id === "base-hot");
  state.transactions.put({ ...first, id: "far", nonce: 2 ** 53 - 1, status: "submitted" } as never);
  state.transactions.put({ ...second, id: "near", nonce: 4, status: "submitted" } as never);
  const ran = await exits(12, "audit base-hot -o json", { store: memoryStore(state) });
  const kinds = JSON.parse(ran.stdout).map(({ nonce, kind }: { nonce: number; kind: string }) => [nonce, kind]);
  expect(kinds.slice(2)).toEqual([
    [2, "gap"],
    [3, "gap"],
    [2 ** 53 - 1, "unreadable"],
  ]);
});

test("says which nonces of a range are not used yet, and fails a check of such a range", async () => {
  const [some, none] = [
    await cli("audit base-hot --demo --nonces 1..6"),
    await cli("audit base-hot --demo --nonces 4..6"),
  ];
  expect([some.exitCode, none.exitCode]).toEqual([0, 0]);
  expect(some.stderr).toContain("note: base-hot: the account used 2 nonces; 2 to 6 are not used yet\n");
  expect(none.stderr).toContain("note: base-hot: the account used 2 nonces; 4 to 6 are not used yet\n");
  await says(13, "audit base-hot --demo --nonces 4..6 --check", "the check did not pass: no used nonce was found\n");
});

test("fails a check of a service without relayers", async () => {
  const ran = await exits(13, "audit --check", { store: memoryStore(seedState("empty")) });
  expect(ran.stderr).toContain("the check did not pass: no relayer was found\n");
});

test("shows what a transaction calls, in tables and data", async () => {
  const world = toppingWorld(1);
  const data = `0xa9059cbb${TO.slice(2).padStart(64, "0")}${(1_000_000).toString(16).padStart(64, "0")}`;
  await world.run(`tx send purse --to ${addressOf(1)} --value 0 --data ${data} --speed fast --yes`);
  await world.pass(60_000);
  const call = "transfer(to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, amount 1000000)";
  const [row] = JSON.parse((await world.run("audit purse -o json")).stdout);
  expect(row).toMatchObject({ nonce: 0, kind: "recorded", call });
  const table = await world.run("audit purse --color never", undefined, { terminal: true, columns: 80 });
  expect(table.stdout).toMatch(/^ {2}HASH, CALL\n.*\n {2}0x\w{64}\n {2}transfer\(/m);
  expect(table.stdout).toContain(`  ${call}\n`);
  expect((await world.run("audit purse --fields nonce,call -o csv")).stdout).toContain(`0,"${call}"`);
});

test("knows the transactions of another relayer of the service with the same address", async () => {
  const world = toppingWorld(1);
  await world.run(`tx send purse --to ${TO} --value 1 --speed fast --yes`);
  await world.pass(60_000);
  const twin = await world.run("audit b-001 --check -o json", async (_, answer) => {
    const answered = await answer();
    return { ...answered, body: Buffer.from(new TextDecoder().decode(answered.body).replaceAll(addressOf(1), PURSE)) };
  });
  expect([twin.exitCode, JSON.parse(twin.stdout)]).toMatchObject([0, [{ relayer_id: "b-001", kind: "recorded" }]]);
});

test("keeps final nonces in the folder of --state, and does not read them again", async () => {
  const world = toppingWorld(1);
  await world.run(`tx send purse --to ${addressOf(1)} --value 1 --speed fast --yes`);
  await world.pass(3_600_000);
  const kept = new Map<string, string>();
  const first = await world.run("audit purse --state nonces -o json", undefined, { kept });
  expect([...kept.keys()]).toContainEqual(expect.stringMatching(/^nonces\/nonces-/));
  const again = await world.run("audit purse --state nonces -o json", undefined, { kept });
  expect(again.stdout).toBe(first.stdout);
  expect(again.requests.length).toBeLessThan(first.requests.length);
});

test.each([
  ["audit base-hot --state ''", "--state"],
  ["audit --nonces 1..2", "--nonces"],
  ["audit base-hot --nonces 2..1", "--nonces"],
  ["audit base-hot --nonces 1..2 --since 1d", "--nonces"],
  ["audit sol-pay --nonces 1..2", "needs an EVM relayer; on solana, transactions are listed by their time (--since)"],
  ["audit base-hot --since 2099-01-01 --check", "--since 2099-01-01: lies in the future"],
  ["audit base-hot -o raw", "-o"],
])("refuses %s", (line, words) => says({ exitCode: 2, stdout: "", writes: [] }, `${line} --demo`, words));

test("reads the others if a relayer cannot be read, and says so", async () => {
  const ran = await exits(12, "audit base-hot eth-main-2 --demo -o json");
  expect(JSON.parse(ran.stdout)).toHaveLength(2);
  expect(ran.stderr).toContain("eth-main-2: the chain of eth-main-2 cannot be read: Relayer paused");
  expect(ran.stderr).toContain("1 of 2 relayers could not be read");
});

test("prints an empty list for scripts if there is nothing", () =>
  says({ exitCode: 0, stdout: "[]\n" }, "audit base-hot --demo --since 1m -o json", "no nonces in "));

test("lists the transactions of Solana and Stellar, and says where the node's history begins", async () => {
  const world = payingWorld();
  const ran = await ends({ exitCode: 0, writes: [] }, "audit sol-pay xlm-treasury --since 1h -o json", world);
  expect(JSON.parse(ran.stdout)).toMatchObject([
    { nonce: null, kind: "recorded", value: 0, fee: 5_000, relayer_id: "sol-pay", coin: "SOL" },
    {
      nonce: 4_294_967_297,
      kind: "recorded",
      value: 0,
      fee: 100,
      relayer_id: "xlm-treasury",
      coin: "XLM",
    },
  ]);
  const older = await exits(12, "audit sol-pay --since 30d", world);
  expect(older.stderr).toMatch(/^sol-pay: the node's history begins at 2026-11-19 \S+ with slot \d+; nothing before/m);
  const spent = await cli("spend sol-pay xlm-treasury --since 1h --by coin -o json", world);
  expect(JSON.parse(spent.stdout)).toMatchObject([
    { by: "SOL", fee: 5_000, sent: 1 },
    { by: "XLM", fee: 100, sent: 1 },
  ]);
});

test.each([60, 80])("shows transactions of other networks in %i columns, with their units", async (columns) => {
  const shown = { terminal: true, columns };
  const ran = await cli("audit sol-pay xlm-treasury --since 1h --color never", {
    ...payingWorld(),
    ...shown,
  });
  expect(ran.stdout).toMatchSnapshot();
});

test.each([60, 80, 140])("fits a terminal of %i columns, with whole hashes and addresses", async (columns) => {
  const ran = await cli("audit base-hot eth-main-1 --demo --color never", { terminal: true, columns });
  expect(ran.stdout).toMatchSnapshot();
});

test("reads several relayers at once, and lists what cannot be read in their order", async () => {
  const server = testServer({ seed: "fleet:30" });
  let [open, most] = [0, 0];
  const service: Transport = async (request) => {
    if (!request.target.endsWith("/rpc")) return await server(request);
    most = Math.max(most, ++open);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      return await server(/-\d+([13579])\b/.test(request.target) ? { ...request, body: "{}" } : request);
    } finally {
      open--;
    }
  };
  const { stderr } = await cli("audit --since 1d", { service });
  const unread = stderr.match(/(?<=^relayer-)\d+(?=: )/gm) ?? [];
  expect(unread.length).toBeGreaterThan(5);
  expect(unread).toEqual(unread.toSorted());
  expect(most).toBe(8);
});
