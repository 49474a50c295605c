import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl } from "../../e2e/relayctl.ts";
import { chosen, DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";

const OLD = '{\n  "version": 1,\n  "contexts": {\n    "work": {\n      "server": "https://old.example"\n    }\n  }\n}';
const NEW = OLD.replace("old", "new");
const CHANGE = ["context", "set", "work", "--server", "https://new.example"];

/** Of so many writes one is tried, and always the first and the last. */
const EACH = DEEP ? 1 : 8;

/** A folder with the old content, or without any. */
function stored(text: string | undefined) {
  const folder = newFolder();
  const file = join(folder, "config", "config.json");
  mkdirSync(join(folder, "config"), { mode: 0o700 });
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  return { folder, file, text: () => (existsSync(file) ? readFileSync(file, "utf8") : undefined) };
}

/** Runs the change with these variables of `kill-at.cjs`. */
function changed(place: ReturnType<typeof stored>, variables: Record<string, string>) {
  const preload = `--require ${join(import.meta.dirname, "kill-at.cjs")}`;
  const env = { ...variables, CONFIG_FOLDER: join(place.folder, "config"), NODE_OPTIONS: preload };
  return relayctl(CHANGE, { folder: place.folder, env });
}

/** How often a change writes, renames, or removes something. */
async function writesOf(text: string | undefined): Promise<number> {
  const place = stored(text);
  const report = join(place.folder, "count");
  expect(await changed(place, { COUNT_INTO: report })).toMatchObject({ exitCode: 0 });
  return Number(readFileSync(report, "utf8"));
}

const BEFORE: readonly (readonly [string, string | undefined])[] = [
  ["the old content", OLD],
  ["no content", undefined],
];

test.each(chosen(BEFORE, 0))(
  "a file with %s has the old or the new content after a kill at any write",
  async (_, before) => {
    const writes = await writesOf(before);
    const left: (string | undefined)[] = [];
    const kills = Array.from({ length: writes }, (_, index) => index + 1);
    const tried = kills.filter((write) => write === writes || (write - 1) % EACH === 0);
    for (const write of tried) {
      const place = stored(before);
      expect(await changed(place, { KILL_AT: String(write) })).toMatchObject({ exitCode: undefined });
      left.push(place.text()?.trimEnd());
    }
    const damaged = left.filter((text) => text !== before && text !== NEW);
    figure("kills with SIGKILL during a config write", tried.length);
    figure("config files damaged by them", damaged.length);
    expect(damaged).toEqual([]);
    expect([left[0], left.at(-1)]).toEqual([before, NEW]);
  },
);

test("the next write removes the files of a killed process", async () => {
  const place = stored(OLD);
  const config = join(place.folder, "config");
  const leftover = join(config, ".config.json.relayctl-0");
  mkdirSync(leftover);
  writeFileSync(join(leftover, "config.json"), '{"version":1,"cont');
  mkdirSync(join(config, "config.json.lock"));
  utimesSync(join(config, "config.json.lock"), new Date(0), new Date(0));
  expect(await relayctl(CHANGE, place)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(config)).toEqual(["config.json"]);
  expect(place.text()?.trimEnd()).toBe(NEW);
});
