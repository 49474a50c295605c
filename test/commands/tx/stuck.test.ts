import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { cli, exits, type Ran, says } from "../../helpers/cli.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { freezable, relayer, submitted } from "../relayers/freeze/service.ts";
import { stellarRecord } from "./wire.ts";

const itemsOf = ({ stdout }: Ran): { id: string; [field: string]: unknown }[] => JSON.parse(stdout);
const byIdIn = (ran: Ran) => Object.fromEntries(itemsOf(ran).map((item) => [item.id, item]));
const HEAD = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

test("shows which transaction holds up the others of a relayer, why, and the command that helps", async () => {
  const ran = await exits(0, "tx stuck -o json --demo");
  const found = byIdIn(ran);
  expect(found[HEAD]).toMatchObject({
    relayer_id: "eth-main-1",
    network: "mainnet",
    nonce: 7,
    status: "submitted",
    created_at: "2026-11-21T00:08:07.000000000+00:00",
    value: "200000000000000000",
    fee: "12500000000",
    code: "underpriced",
    waits_for: null,
    blocks: 3,
    next: `relayctl --demo tx bump eth-main-1 ${HEAD} --speed fastest`,
  });
  expect(found["1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9"]).toMatchObject({
    code: "waits",
    why: "it waits for nonce 7",
    waits_for: "7",
    blocks: 0,
    next: null,
  });
  expect(ran.stderr).toContain("next: relayctl --demo relayers unstick eth-main-1\n");
});

test("says that the chain was not asked through a paused relayer", async () => {
  const ran = await cli("tx stuck eth-main-2 -o json --demo");
  expect(itemsOf(ran)).toMatchObject([{ code: "paused", base_fee: null }]);
});

test("shows ages, fees, and the reason in a few words on a terminal", async () => {
  const { stdout } = await cli("tx stuck --demo --color never", { terminal: true, columns: 200 });
  expect(stdout).toMatch(/^ +RELAYER +NONCE +STATUS +AGE +FEE +VALUE +ID +WHY$/m);
  expect(stdout).toMatch(
    /^! eth-main-1 +7 +submitted +3h +12\.5 gwei .* 0\.2 ETH +6f1a2c1e-\S+ +12\.5 < base fee 12\.6 gwei, blocks 3$/m,
  );
  expect(stdout).not.toContain("waits for nonce");
});

test("counts those that only wait on a terminal, and lists them with --all, in a pipe, and if they are chosen", async () => {
  const drawn = { terminal: true, columns: 200 };
  const { stderr } = await cli("tx stuck --demo --color never", drawn);
  expect(stderr).toContain("9 stuck transactions · demo · 4 only wait for another (--all)\n");
  for (const chosen of ["--all", "-o table", "--where code=waits", "--sort nonce"]) {
    const ran = await cli(`tx stuck --demo --color never ${chosen}`, drawn);
    expect(ran.stdout, chosen).toMatch(/^○ eth-main-1 +8 .* waits for nonce 7$/m);
    expect(ran.stderr, chosen).not.toContain("--all");
  }
  expect((await cli("tx stuck --demo -o json")).stdout).toContain('"it waits for nonce 7"');
});

test("selects by age, whatever the cause", async () => {
  const relayers = [relayer("xlm", { network_type: "stellar", network: "testnet" })];
  const transactions = { xlm: [stellarRecord({ id: "old", created_at: "2026-11-21T03:10:07Z" })] };
  const service = freezable({ relayers, transactions });
  expect(itemsOf(await cli("tx stuck -o json", { service }))).toMatchObject([{ id: "old", code: "pending" }]);
  expect(itemsOf(await cli("tx stuck --older 119s -o json", { service }))).toHaveLength(1);
  await says({ exitCode: 0, stdout: "" }, "tx stuck --older 121s", "nothing is stuck in ", { service });
});

test("asks no node for relayers without pending transactions", async () => {
  const relayers = [relayer("r1"), relayer("r2")];
  const service = freezable({ relayers, transactions: { r1: [submitted("d", { status: "confirmed" })] } });
  const { requests } = await exits(0, "tx stuck", { service });
  expect(requests.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
});

test("a relayer that cannot be read hides no other, and the exit code is 12", async () => {
  const relayers = [relayer("r1"), relayer("xlm", { network_type: "stellar", network: "testnet" })];
  const instead = { "GET /relayers/r1/transactions": refusal(500, "boom") };
  const service = freezable({ relayers, transactions: { xlm: [stellarRecord({ id: "x" })] }, instead });
  const ran = await exits(12, "tx stuck -o json --retries 0", { service });
  expect(itemsOf(ran)).toHaveLength(1);
});

test.each(["tx stuck", "tx list"])("%s says nothing of transactions that it could not read", async (line) => {
  const relayers = [relayer("r1"), relayer("r2")];
  const instead = { "GET /relayers/r1/transactions": refusal(500, "boom") };
  for (const world of [{}, { terminal: true }]) {
    const ran = await cli(`${line} --retries 0`, { service: freezable({ relayers, instead }), ...world });
    expect([ran.exitCode, ran.stdout]).toEqual([12, ""]);
    expect(ran.stderr).not.toMatch(/nothing is stuck|no transactions/);
    expect(ran.stderr).toContain("error: 1 of 2 relayers failed\n");
  }
});

test.each([
  ["--older soon", 2],
  ["--older 0s", 2],
  ["-o raw", 2],
  ["nope", 5],
])("rejects %s", async (rest, exitCode) => {
  expect(await cli(`tx stuck ${rest}`, { service: freezable({ relayers: [relayer("r1")] }) })).toMatchObject({
    exitCode,
    stdout: "",
  });
});

describe("tx get on a terminal", () => {
  test("shows the age, why the transaction is not mined, and the command that helps", async () => {
    const line = "tx get eth-main-1 3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b --demo --color never";
    const { stdout } = await cli(line, { terminal: true });
    expect(stdout).toMatch(/^created .*, 2 hours ago$/m);
    const cause = "max fee 12.5 gwei is below the base fee, 12.6 gwei";
    expect(stdout).toContain(`\nwhy          it waits for nonce 7: ${cause}\n`);
    const helps = /^next +relayctl --demo tx bump eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --speed fastest$/m;
    expect(stdout).toMatch(helps);
    const ofFirst = await cli("tx get eth-main-1 --nonce 7 --demo --color never", { terminal: true });
    expect(ofFirst.stdout).toContain(`\nwhy          ${cause}; 3 transactions wait behind it\n`);
    expect(ofFirst.stdout).toMatch(helps);
  });

  test("data output shows neither, and requests the transaction alone", async () => {
    const ran = await cli("tx get eth-main-1 3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b --demo");
    expect(ran.stdout).not.toMatch(/^(?:why|next)|hours ago/m);
    expect(ran.requests.length).toBeLessThanOrEqual(1);
  });
});

test("a question counts from when the first in the queue was sent again", async () => {
  const state = seedState("demo");
  const head = state.transactions.held().find(({ id }) => id === HEAD);
  state.transactions.put({ ...head, id: HEAD, sent_at: "2026-11-21T03:10:07Z" });
  const line = `tx send eth-main-1 --to 0x${"86".repeat(20)} --value 0.01eth --speed fast --gas-limit 21000`;
  const { stderr } = await cli(line, { store: memoryStore(state), terminal: true, answers: [false], columns: 200 });
  expect(stderr).toContain("nonce 7 for 2m: max fee 12.5 gwei is below the base fee");
});
