import { RelayctlError } from "../../src/errors.ts";
import { cli, exited } from "../helpers/cli.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import type { ScriptedAnswer } from "../helpers/scripted-prompts.ts";
import { demoStore } from "../helpers/seed-state.ts";

const RECEIVER = "0x52908400098527886E0F7030069857D2E4169EE7";

async function toured(answers: readonly ScriptedAnswer[]) {
  const created = new Map<string, string>();
  const store = demoStore();
  const ran = await cli("tour", { terminal: true, env: {}, answers, created, store, journal: memoryJournal() });
  return { ...ran, tasks: [...ran.stderr.matchAll(/^(\d) of 5/gm)].map(([, step]) => step), created };
}

test("takes its five steps by what the demo holds, and not by what was typed", async () => {
  const { exitCode, tasks, stderr } = await toured([
    ...["hint", "version", "tx list eth-main-1", "relayctl relayers status"],
    ...["relayers get eth-main-1", "relayers unstick eth-main-1 --yes"],
    ...["relayers update eth-main-1 --policy gas_price_cap=100gwei"],
    ...["relayers update eth-main-1 --policy gas_price_cap=120gwei", "undo --yes"],
    ...[`tx send base-hot --to ${RECEIVER} --value 0.02eth --speed fast --yes`],
    ...[`tx send base-hot --to ${RECEIVER} --value 0.01eth --speed fast --yes`],
    ...["plan -f fleet.json", "notifications update audit-log --url https://audit.example.org/tour"],
  ]);
  expect(tasks, stderr).toEqual(["1", "2", "3", "3", "4", "5"]);
  expect(stderr.match(/✓ done/g)).toHaveLength(6);
  expect(stderr).toContain("relayctl status");
  expect(exitCode).toBe(0);
});

test("skips a step, and ends at quit", async () => {
  const { exitCode, tasks, stderr } = await toured(["skip", "", 'tx "list', "quit"]);
  expect(tasks).toEqual(["1", "2"]);
  expect(stderr).not.toContain("That was the tour");
  expect(exitCode).toBe(0);
});

test("writes a file of a fleet for its last step, under a name that its commands know", async () => {
  const { created } = await toured(["quit"]);
  expect([...created.keys()]).toEqual(["/tmp/other/fleet.json"]);
});

test("ends at Ctrl-C", () => exited(130, toured([new RelayctlError("interrupted", "interrupted")])));

test("without a terminal it says what to read instead", async () => {
  const { stderr } = await exited(2, cli("tour"));
  expect(stderr).toContain(
    "the tour needs a terminal: no terminal is attached; read docs/start/get-started.md instead",
  );
});
