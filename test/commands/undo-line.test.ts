import type { JsonObject } from "../../src/contract/json.ts";
import { createServerState } from "../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { cli, SERVER, TOKEN, type World } from "../helpers/cli.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { CANNOT_UNDO, drawnChange, UNDO, UNDO_LABEL, undoIn } from "../helpers/receipts.ts";
import { demoStore } from "../helpers/seed-state.ts";
import { intent, outcome } from "./history/recorded.ts";

/** What stderr says of the way back after a change of this relayer's name. */
async function undoOf(
  before: { id?: string; name?: string; [field: string]: unknown },
  env = {},
  flags = ["--name", "new"],
) {
  const relayer = { id: "r1", network_type: "evm", network: "mainnet", paused: false, policies: {}, ...before };
  const store = memoryStore(createServerState({ relayers: [relayer] }));
  const world = { store, env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, ...env } };
  const { stderr } = await cli(["relayers", "update", "--diff", ...flags, "--", relayer.id], world);
  return stderr.split("\n").find((line) => [UNDO, CANNOT_UNDO].some((words) => line.startsWith(words)));
}

const HIDDEN = { name: "pay\u202eroll\u200b" };

test.each([
  ["/bin/zsh", String.raw`${UNDO}relayctl relayers update r1 --name $'pay\342\200\256roll\342\200\213'`],
  ["/usr/bin/fish", String.raw`${UNDO}relayctl relayers update r1 --name pay\u202eroll\u200b`],
  ["/bin/dash", `${CANNOT_UNDO}: an old value cannot be typed in sh; use bash or zsh`],
  ["/bin/tcsh", `${CANNOT_UNDO}: an old value cannot be typed in this shell; use bash or zsh`],
])("is written for the user's shell: %s", async (shell, line) => {
  expect(await undoOf(HIDDEN, { SHELL: shell })).toBe(line);
});

test("has an ID that looks like a flag after the flags", async () =>
  expect(await undoOf({ id: "-y", name: "old" })).toBe(`${UNDO}relayctl relayers update --name old -- -y`));

test("has a name that looks like a flag as part of the flag", async () =>
  expect(await undoOf({ name: "--paused" })).toBe(`${UNDO}relayctl relayers update r1 --name=--paused`));

test.each([
  ["contains a secret", { name: `x ${TOKEN}` }, "an old value holds a secret"],
  ["is too long for a command", { name: "x".repeat(40_000) }, "the command would be 40035 characters long"],
  ["contains NUL", { name: "a\0b" }, "an old value cannot be part of a command"],
])("is missing if an old value %s", async (_, before, because) => {
  expect(await undoOf(before)).toBe(`${CANNOT_UNDO}: ${because}`);
});

test.each<[string, JsonObject, string[], string]>([
  ["an unknown pause state", { paused: null }, ["--paused"], "unknown whether the relayer was paused"],
  [
    "an empty list of URLs",
    { custom_rpc_urls: [] },
    ["--rpc-url", "https://a.example"],
    "no flag sets custom_rpc_urls to an empty list",
  ],
  [
    "an ambiguous URL",
    { custom_rpc_urls: [{ url: "https://a,weight=3", weight: 1 }] },
    ["--no-rpc-urls"],
    "the service masks the previous custom_rpc_urls",
  ],
  [
    "fields without a flag",
    { custom_rpc_urls: [{ url: "https://a.example", weight: 1, more: 1 }] },
    ["--no-rpc-urls"],
    "the service masks the previous custom_rpc_urls",
  ],
  [
    "an invalid notification ID",
    { notification_id: "true" },
    ["--no-notification-id"],
    "notification_id was true: unexpected: a flag such as --paused takes no value; use --no-paused",
  ],
])("is missing for %s", async (_, before, flags, because) => {
  expect(await undoOf(before, {}, flags)).toBe(`${CANNOT_UNDO}: ${because}`);
});

describe("a change on a terminal", () => {
  const PAUSE = "relayers pause base-hot";

  /** What a terminal shows of a change that the journal of the demo records. */
  async function changed(line = PAUSE, world: World = {}) {
    const journal = memoryJournal();
    const store = demoStore();
    const ran = await cli(`--demo ${line}`, { terminal: true, journal, store, ...world });
    return { ...ran, undo: undoIn(ran.stderr), run: journal.entries[0]?.run ?? "" };
  }

  test("prints its receipt and the command that undoes the run, and nothing else", async () => {
    const { stdout, stderr, undo, run } = await changed();
    expect(stdout).toBe("");
    expect(undo).toEqual([`relayctl --demo undo ${run.slice(0, 8)}`]);
    expect(stderr).toBe(`${drawnChange("demo", "base-hot")}paused\n${UNDO_LABEL}${undo[0]}\n`);
  });

  test.each(["-o json", "-o table", "--fields id", "--query id"])("prints the record with %s", async (flags) => {
    expect((await changed(`${PAUSE} ${flags}`)).stdout).toContain("base-hot");
  });

  test("to a relayer that needs none prints a note alone", async () => {
    const { stdout, stderr } = await changed("relayers pause eth-main-2");
    expect([stdout, stderr]).toEqual(["", "eth-main-2 is already paused; nothing was sent\n"]);
  });

  test("of many relayers is undone as one, whatever their values were", async () => {
    const { stdout, stderr, undo, run } = await changed(
      "relayers update base-hot eth-main-1 --policy min_balance=0.1eth --yes",
    );
    expect(stdout).toBe("");
    expect(stderr).toContain("base-hot, eth-main-1\n");
    expect(undo).toEqual([`relayctl --demo undo ${run.slice(0, 8)}`]);
  });

  test("has more digits of the run if another run of the journal begins with the same", async () => {
    const first = memoryJournal().newId();
    const [run, other] = [
      `${first.slice(0, 9)}a${first.slice(10)}`,
      `${first.slice(0, 9)}b${first.slice(10)}`,
    ] as const;
    const journal = memoryJournal({ entries: [intent("x", { run: other }), outcome("x", { run: other })] });
    const { stderr } = await changed(PAUSE, { journal: { ...journal, newId: () => run } });
    expect(undoIn(stderr)).toEqual([`relayctl --demo undo ${run.slice(0, 10)}`]);
  });

  test("is undone by the whole command if the journal has nothing to restore", async () => {
    const { undo } = await changed("notifications create --id pager --url https://h.example");
    expect(undo).toEqual(["relayctl --demo notifications delete pager"]);
  });

  test("is undone by the whole command in a pipe", async () => {
    const { stderr } = await cli(`--demo ${PAUSE}`, { journal: memoryJournal() });
    expect(undoIn(stderr)).toEqual(["relayctl --demo relayers resume base-hot"]);
  });
});
