import { createClient } from "../../../src/library.ts";
import { cli, SERVER, says, TOKEN, type World } from "../../helpers/cli.ts";
import { fakeSshKeygen, signerLine } from "../../helpers/fake-ssh-keygen.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { payouts } from "../../helpers/payouts.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { callOne } from "../mcp/sessions.ts";

const TO = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const FLEET = `{"relayers":[{"id":"eth-main-1","name":"eth-main-1","network":"mainnet","network_type":"evm","signer_id":"local-signer","paused":false,"policies":{"gas_price_cap":90000000000}}]}`;

function signed(): World {
  const approvers = { needed: 1, signers: [signerLine("ada"), signerLine("bob")] };
  return {
    ...{ env: {}, journal: memoryJournal(), proposals: new Map(), execute: fakeSshKeygen },
    store: demoStore(),
    files: { "config.json": FLEET, "payouts.csv": payouts(3) },
    config: {
      version: 1,
      current: "prod",
      contexts: { prod: { server: SERVER, token: TOKEN, approvers } },
      labels: { evm: { ops: TO } },
    },
  };
}

/** The writes but those that change where deliveries go, which move nothing. */
const movingOf = ({ writes }: { writes: readonly { target: string }[] }) =>
  writes.map(({ target }) => target).filter((target) => !/\/rpc$|\/notifications\//.test(target));

describe("a context with approvers refuses, whatever is typed to confirm,", () => {
  test.each([
    "apply -f config.json --yes",
    "tx send-many base-hot -f payouts.csv --speed fast --confirm 0.000006eth",
    "topup @ops --from base-hot --to-balance 0.05eth --yes --max-total 0.1eth",
    "relayers unstick eth-main-1 --yes",
  ])("%s", async (line) => {
    const ran = await cli(line, signed());
    expect([ran.exitCode, movingOf(ran)], ran.stderr).toEqual([3, []]);
    expect(ran.stderr).toContain("needs the signatures of approvers (context prod)");
    expect(ran.stderr).toContain("hint: relayctl propose");
  });

  test("a fix of doctor, after the question", async () => {
    const world = { ...signed(), terminal: true, answers: [true, true, true, true, true] };
    const ran = await cli("doctor eth-main-1 --fix", world);
    expect(ran.stderr).toContain("needs the signatures of approvers (context prod)");
    expect(movingOf(ran), ran.stderr).toEqual([]);
  });

  test("an undo that loosens, but not the pause before it", async () => {
    const world = signed();
    expect((await cli("relayers pause eth-main-1", world)).exitCode).toBe(0);
    await says({ exitCode: 3, writes: [] }, "undo --yes", "needs the signatures of approvers (context prod)", world);
  });

  test("what an agent proposed, until somebody signs it", async () => {
    const world = signed();
    const given = { relayer: "eth-main-1", to: TO, value: "1gwei" };
    const { structured, writes } = await callOne("propose_send", given, world, "--allow-writes");
    const [id] = /[0-9a-f]{8}$/.exec(structured?.messages.at(-1) ?? "") ?? [];
    expect(writes).toEqual([]);
    const ran = await cli(`approve ${id}`, { ...world, terminal: true, stdoutTerminal: false, answers: [true] });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3, writes: [] });
  });
});

test("a context with approvers pauses and freezes at once", async () => {
  for (const line of [
    "relayers pause eth-main-1 base-hot --yes",
    "relayers freeze eth-main-1 base-hot --confirm '2 relayers'",
  ]) {
    const ran = await cli(line, signed());
    expect([line, ran.exitCode, ran.writes.length > 0], ran.stderr).toEqual([line, 0, true]);
  }
});

test("the library refuses the same writes with needsSignatures, before it connects", async () => {
  const client = createClient({ server: "http://127.0.0.1:1", token: TOKEN, needsSignatures: true, retries: 0 });
  const failureOf = async (write: Promise<unknown>) => await write.then(String, ({ failure }) => failure);
  expect(await failureOf(client.relayers.update("r1", { paused: false }))).toBe("declined");
  expect(await failureOf(client.relayers.update("r1", { policies: { gas_price_cap: 5n } }))).toBe("declined");
  expect(await failureOf(client.tx.send("r1", { to: TO, value: 1n, speed: "fast" }))).toBe("declined");
  expect(await failureOf(client.relayers.update("r1", { paused: true }))).toBe("network");
});
