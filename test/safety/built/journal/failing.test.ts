import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl } from "../../../e2e/relayctl.ts";
import { serve } from "../../../e2e/services/embedded.ts";
import { chosen, DEEP } from "../../../helpers/deep.ts";
import { exited, exitedSaying } from "../../../helpers/exited.ts";
import { figure } from "../../../helpers/figure.ts";
import { CANARY_DATA, CANARY_KEY, secretsIn } from "../../../helpers/scan.ts";
import { all } from "../../../journal/opened.ts";
import { journalIn, ledgerServer } from "./ledger.ts";

const PAUSE = ["relayers", "pause", "eth-main-1", "-c", "prod"];
const SEND =
  "tx send base-hot --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 1wei --gas-limit 21000 --speed fast --yes -c prod";

/** The tests of test/safety/disk try each command that writes on such a disk. */
const LINES = DEEP ? [PAUSE.join(" "), SEND] : [SEND];

type Ledger = Awaited<ReturnType<typeof ledgerServer>>;

function onFailingDisk({ folder, config }: Ledger, line: string, fault: string) {
  const preload = `--require ${join(import.meta.dirname, "failing-disk.cjs")}`;
  const env = { STATE_FOLDER: join(config, "journal"), FAULT: fault, NODE_OPTIONS: preload };
  return relayctl(line.split(" "), { folder, env });
}

/** Each way in which a journal cannot be written, and how a line is run then. */
const FAULTS: readonly [string, (world: Ledger, line: string) => ReturnType<typeof relayctl>][] = [
  ["the disk is full", (world, line) => onFailingDisk(world, line, "ENOSPC")],
  ["the folder is read-only", (world, line) => onFailingDisk(world, line, "EROFS")],
  [
    "a file is in its place",
    ({ folder, config }, line) => {
      writeFileSync(join(config, "journal"), "");
      return relayctl(line.split(" "), { folder });
    },
  ],
];

describe.each(FAULTS)("when %s", (name, run) => {
  test.each(LINES)("the write is sent, with a warning: %s", async (line) => {
    const world = await ledgerServer();
    const { exitCode, stderr } = await run(world, line);
    expect([exitCode, world.applied.length], stderr).toEqual([0, 1]);
    expect(stderr).toMatch(/^warning: this write is not recorded: /m);
  });

  test.runIf(DEEP || name === "the disk is full")("nothing is sent if the context requires the journal", async () => {
    const world = await ledgerServer({ journal: "required" });
    for (const line of LINES) {
      await exitedSaying(74, run(world, line), "nothing was sent");
    }
    expect(world.applied).toEqual([]);
  });
});

test("eight commands at once lose no entry", async () => {
  const { folder, config, applied } = await ledgerServer();
  const env = { NODE_OPTIONS: `--require ${join(import.meta.dirname, "../patient.cjs")}` };
  const names = Array.from({ length: DEEP ? 40 : 4 }, (_, index) => `name-${index}`);
  for (let first = 0; first < names.length; first += 8) {
    const ended = await Promise.all(
      names.slice(first, first + 8).map((name) => {
        return relayctl(["relayers", "update", "eth-main-1", "--name", name, "-c", "prod"], { folder, env });
      }),
    );
    expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr.includes("warning")])).toEqual(
      ended.map(() => [expect.toSatisfy((code) => code === 0 || code === 14), false]),
    );
  }
  const journal = journalIn(join(config, "journal"));
  const entries = await all(journal);
  const intents = entries.flatMap((entry) => (entry.type === "intent" ? [entry.body] : []));
  figure("writes by commands that run at once", applied.length);
  figure("of these writes recorded", intents.length);
  expect(intents.map((body) => JSON.stringify(body)).sort()).toEqual(
    names.map((name) => JSON.stringify({ name })).sort(),
  );
  expect(await journal.verify()).toMatchObject({ lines: 2 * names.length });
  expect((await journal.verify()).fault).toBeUndefined();
});

const DAY = 86_400_000;

test("a clock that jumps loses no entry", async () => {
  const { folder, config } = await ledgerServer();
  const shifts = chosen([40 * DAY, -400 * DAY, -1, 10_000 * DAY, 0], 0, 1, 4);
  for (const [index, shift] of shifts.entries()) {
    const env = {
      CLOCK_SHIFT: String(shift),
      NODE_OPTIONS: `--require ${join(import.meta.dirname, "shift-clock.cjs")}`,
    };
    const line = ["relayers", "update", "eth-main-1", "--name", `n${index}`, "-c", "prod"];
    const { exitCode, stderr } = await relayctl(line, { folder, env });
    expect([exitCode, stderr.includes("warning")], stderr).toEqual([0, false]);
  }
  const journal = journalIn(join(config, "journal"));
  expect(await all(journal)).toHaveLength(2 * shifts.length);
  expect((await journal.verify()).fault).toBeUndefined();
});

test("nothing is written to the home folder if server and token come from variables", async () => {
  const { env } = await serve();
  const folder = newFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  const lines = [
    "relayers list",
    "relayers pause eth-main-1 eth-main-2 --yes",
    SEND.replace(" -c prod", ""),
    "tx list base-hot",
    "relayers get eth-main-1",
  ];
  for (const line of chosen(lines, 0, 1)) {
    const world = { folder, env: { ...env, HOME: home, RELAYCTL_CONFIG_DIR: "" } };
    await exited(0, relayctl(line.split(" "), world));
    expect(readdirSync(home, { recursive: true }), line).toEqual([]);
  }
});

test("no file of the journal contains a secret", async () => {
  const { folder, config } = await ledgerServer();
  writeFileSync(join(folder, "key"), CANARY_KEY);
  const body = { params: { apiKey: CANARY_DATA, deep: [{ secrets: [CANARY_DATA] }] } };
  writeFileSync(join(folder, "body.json"), JSON.stringify(body));
  for (const line of [
    "notifications create --url https://hooks.example/x --signing-key-file key",
    `notifications update ops-hook --url https://hooks.example/T0/${CANARY_DATA}`,
    `relayers update eth-main-1 --rpc-url https://rpc.example/v3/${CANARY_DATA} --yes`,
    `relayers update eth-main-1 --rpc-url https://user:${CANARY_KEY}@rpc.example --yes`,
    "plugins call sweeper -f body.json --yes",
    "relayers pause eth-main-2 --reason token=0123456789",
  ]) {
    await relayctl([...line.split(" "), "-c", "prod"], { folder });
  }
  const path = join(config, "journal");
  expect((await all(journalIn(path))).length).toBe(12);
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
  expect(texts.flatMap((text) => secretsIn(text))).toEqual([]);
  expect(texts.flatMap((text) => secretsIn(text, { data: CANARY_DATA }))).toEqual([]);
  expect(texts.join("")).not.toContain("0123456789");
});
