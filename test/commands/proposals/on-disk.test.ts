import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFiles } from "../../../src/config/files/files.ts";
import { createTextFile } from "../../../src/config/files/text-file.ts";
import { inProd, runHere, SERVER, TOKEN, testApp, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";

const SEND = "tx send eth-main-1 --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "relayctl-proposals-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One user's programs, which share the proposals on a real disk. */
function programs() {
  const never = new AbortController().signal;
  const world: World = {
    ...{
      store: demoStore(),
      journal: memoryJournal(),
      clock: manualClock(undefined, never),
      env: {},
    },
    config: { version: 1, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN } } },
  };
  let ids = 0;
  const random = { uuid: () => `00000000-0000-4000-9000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
  return async (line: string, more: Partial<World> = {}) => {
    const made = testApp({ ...world, ...more });
    const surroundings = { clock: manualClock(undefined, never), random, interrupt: never };
    const app = {
      ...made.app,
      random: { ...made.app.random, ...random },
      proposalFile: (name: string) => createTextFile(join(folder, name), { surroundings, maxBytes: 2 ** 20 }),
      proposalNames: () => createFiles({ interrupt: never, openWaiting: () => undefined }).list(folder),
    };
    const { exitCode } = await runHere({ ...made, app }, line.split(" "));
    const writes = made.requests.filter(({ method }) => method !== "GET").length;
    return { exitCode, writes, stdout: made.stdout.text().trim(), stderr: made.stderr.text() };
  };
}

const AT_TERMINAL = { terminal: true, stdoutTerminal: false, answers: [true] };

test("approved at several terminals at once, a proposal is sent once", async () => {
  const run = programs();
  const { stdout: id } = await run(`propose -- ${SEND}`);
  const all = await Promise.all(Array.from({ length: 6 }, () => run(`approve ${id}`, AT_TERMINAL)));
  expect(all.map(({ exitCode }) => exitCode).sort()).toEqual([0, 6, 6, 6, 6, 6]);
  expect(all.reduce((sum, { writes }) => sum + writes, 0)).toBe(1);
  expect(readdirSync(folder).sort()).toEqual([`${id}.json`, `${id}.used`]);
});

test("links and folders in place of a proposal, or of its use, send nothing", async () => {
  const run = programs();
  const { stdout: id } = await run(`propose -- ${SEND}`);
  const { stdout: other } = await run(`propose -- relayers resume bsc-hot`);
  const used = join(folder, `${id}.used`);
  const places: Record<string, () => void> = {
    "a link to nothing": () => symlinkSync(join(folder, "missing"), used),
    "a link to a device": () => symlinkSync("/dev/null", used),
    "a link to itself": () => symlinkSync(used, used),
    "a folder": () => mkdirSync(used),
    "an empty file": () => writeFileSync(used, ""),
  };
  for (const [name, place] of Object.entries(places)) {
    place();
    const ran = await run(`approve ${id}`, AT_TERMINAL);
    expect([name, ran.writes], ran.stderr).toEqual([name, 0]);
    expect([2, 6, 74], ran.stderr).toContain(ran.exitCode);
    rmSync(used, { recursive: true, force: true });
  }
  symlinkSync(join(folder, `${other}.json`), join(folder, "00000000.json"));
  const linked = await run("approve 00000000", AT_TERMINAL);
  expect([linked.exitCode, linked.writes]).toEqual([3, 0]);
  expect(linked.stderr).toContain("was changed after it was created");
  expect((await run(`approve ${id}`, AT_TERMINAL)).writes).toBe(1);
});

test("a token that the service no longer takes is refused before the proposal is used up", async () => {
  const run = programs();
  const { stdout: id } = await run(`propose -- ${SEND}`);
  const { config } = inProd({ token: "an-old-token" });
  expect(await run(`approve ${id}`, { ...AT_TERMINAL, config })).toMatchObject({ exitCode: 4, writes: 0 });
  expect(await run(`approve ${id}`, AT_TERMINAL)).toMatchObject({ exitCode: 0, writes: 1 });
});
