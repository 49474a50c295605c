import { EVENT_WORDS } from "../../../src/contract/webhook/catalog.ts";
import { cli, exited, type World } from "../../helpers/cli.ts";

const events = (words: string, world: World = {}) => cli(`webhooks events ${words}`.trim(), { env: {}, ...world });

test("lists every event with its payload types, and when it is sent", async () => {
  const { exitCode, stdout, requests } = await events("");
  expect([exitCode, requests]).toEqual([0, []]);
  expect(stdout.split("\n")).toHaveLength(9);
  expect(stdout).toContain(
    "relayer_state_update\trelayer_enabled\tevm,solana,stellar\t1.2\tThe service enabled a relayer again\n",
  );
});

test("prints an example as the service sends it: compact, and without a final newline", async () => {
  const { stdout } = await exited(0, events("transaction_update"));
  expect(stdout).toMatch(/^\{"id":"[^"]+","event":"transaction_update","payload":\{"payload_type":"transaction",.*\}$/);
  expect(stdout).toBe(JSON.stringify(JSON.parse(stdout)));
});

test.each(EVENT_WORDS)("prints the same example of %s each time", async (word) => {
  const [once, twice] = [await events(word), await events(word)];
  expect(once.stdout).toBe(twice.stdout);
  expect((await events(`${word} -o json`)).stdout).toBe(`${JSON.stringify(JSON.parse(once.stdout), null, 2)}\n`);
  expect((await events(`${word} -o raw`)).stdout).toBe(once.stdout);
});

test("formats an example for a terminal", async () => {
  const { stdout } = await events("relayer_enabled", { terminal: true, env: { NO_COLOR: "1" } });
  expect(stdout).toContain('\n  "event": "relayer_state_update",\n');
  expect(stdout).toContain('\n    "payload_type": "relayer_enabled",\n');
});

test.each([
  ["transaction_update --network-type stellar", '"sequence_number":"4294967301"'],
  ["transaction_update --network-type solana", '"transaction":"'],
  ["relayer_disabled --network-type stellar", "Sequence synchronization failed"],
  ["solana_dex", '"swap_results":[{"mint"'],
])("%s", async (words, part) => expect((await events(words)).stdout).toContain(part));

test.each([
  [
    "transaction_updated",
    "event transaction_updated: one of transaction_update, ",
    "(did you mean transaction_update?)",
  ],
  ["transaction_failure", "event transaction_failure: one of ", ""],
  ["solana_dex --network-type evm", "--network-type evm: only relayers of kind solana send solana_dex", ""],
  ["--network-type evm", "--network-type: requires an event", ""],
  ["solana_dex --network-type bitcoin", "--network-type bitcoin: one of evm, solana, stellar", ""],
])("ends with 2 for %s", async (words, rule, meant) => {
  const { exitCode, stdout, stderr } = await events(words);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(rule);
  expect(stderr).toContain(meant);
  expect(stderr).not.toContain("problems");
});
