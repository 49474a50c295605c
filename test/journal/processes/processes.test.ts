import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { rolldown } from "rolldown";
import { temporaryFolder } from "../../config/temporary-folder.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { intent } from "../entries.ts";
import { all, opened } from "../opened.ts";

const KILL_AT = join(import.meta.dirname, "../../safety/built/kill-at.cjs");
/** Kills at every write to a file would take minutes. */
const EACH = DEEP ? 1 : 181;

/** The program of the writer, in one file. */
let program = "";

beforeAll(async () => {
  const bundle = await rolldown({ platform: "node", input: join(import.meta.dirname, "writer.ts") });
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false });
  program = output[0].code;
  await bundle.close();
});

interface Writer {
  name: string;
  count: number;
  atOnce: number;
  isFollowed?: boolean;
}

/** Runs a writer; resolves with the IDs that it printed. */
async function written(path: string, { name, count, atOnce, isFollowed }: Writer, env: Record<string, string> = {}) {
  const script = `process.argv.splice(1, 0, "writer");${program}`;
  const kill = env.CONFIG_FOLDER ? ["--require", KILL_AT] : [];
  const args = [...kill, "-e", script, "--", path, name, String(count), String(atOnce), isFollowed ? "followed" : ""];
  const { stdout, stderr } = await execa(process.execPath, args, { env, reject: false });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((id) => id !== "");
}

test("eight processes that append at once lose no entry, and each line has the digest of the one before", async () => {
  const world = opened();
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const writers = names.map((name, index) => ({ name, count: 30, atOnce: 3, isFollowed: index % 2 === 0 }));
  const ids = (await Promise.all(writers.map((writer) => written(world.path, writer)))).flat();
  expect(ids).toHaveLength(240);
  const entries = await all(world.journal);
  figure("entries of the journal by processes that append at once", ids.length);
  figure("of these entries kept", entries.length);
  expect(entries.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(await world.journal.verify()).toEqual({ files: 1, lines: 240 });
});

test.each<[string, Writer, number]>([
  ["step", { name: "w", count: 30, atOnce: 2 }, 100],
  ["step of a bulk run", { name: "w", count: 30, atOnce: 2, isFollowed: true }, 20],
])("after kill -9 at any %s every reported entry is there, undamaged", async (_, writer, leastSteps) => {
  const report = join(temporaryFolder(), "count");
  const first = opened();
  await written(first.path, writer, { CONFIG_FOLDER: first.path, COUNT_INTO: report });
  const steps = Number(readFileSync(report, "utf8"));
  expect(steps).toBeGreaterThan(leastSteps);
  let kills = 0;
  for (let step = 1; step <= steps; step += EACH) {
    const world = opened();
    const reported = await written(world.path, writer, { CONFIG_FOLDER: world.path, KILL_AT: String(step) });
    kills++;
    const lock = join(world.path, "journal.lock");
    if (existsSync(lock)) utimesSync(lock, new Date(0), new Date(0));
    await world.journal.append(intent("after"));
    const ids = (await all(world.journal)).map(({ id }) => id).reverse();
    expect(ids.slice(0, reported.length), `step ${step}`).toEqual(reported);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await world.journal.verify(), `step ${step}`).toEqual({ files: 1, lines: ids.length });
  }
  figure("kills with SIGKILL while the journal is written", kills);
});
