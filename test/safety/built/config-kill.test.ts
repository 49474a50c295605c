import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, relayctl, start } from "../../e2e/relayctl.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";

const KILLS = DEEP ? 200 : 14;
const OLD = '{\n  "version": 1,\n  "contexts": {\n    "work": {\n      "server": "https://old.example"\n    }\n  }\n}';
const CHANGE = ["context", "set", "work", "--server", "https://new.example"];

/** A folder with the old content, or without any. */
function stored(text: string | undefined) {
  const folder = newFolder();
  const file = join(folder, "config", "config.json");
  mkdirSync(join(folder, "config"), { mode: 0o700 });
  if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
  return { folder, file, text: () => (existsSync(file) ? readFileSync(file, "utf8") : undefined) };
}

async function duration(): Promise<number> {
  const started = performance.now();
  expect(await relayctl(CHANGE, stored(OLD))).toMatchObject({ exitCode: 0 });
  return performance.now() - started;
}

/** Kills a change at a moment of its life, from 0 to 1 of what it usually takes. */
async function killed(place: ReturnType<typeof stored>, moment: number, whole: number) {
  const { child, ended } = start(CHANGE, place);
  const timer = setTimeout(() => child.kill("SIGKILL"), moment * whole);
  await ended;
  clearTimeout(timer);
}

test(`after each of ${KILLS} kills the file holds the old content or the new one`, async () => {
  const whole = await duration();
  const damaged: (string | undefined)[] = [];
  let changed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const before = kill % 3 === 0 ? undefined : OLD;
    const place = stored(before);
    await killed(place, 0.4 + (0.7 * kill) / KILLS, whole);
    const after = place.text();
    if (after !== before) changed += 1;
    if (![before, OLD.replace("old", "new")].includes(after?.trimEnd())) damaged.push(after);
  }
  figure("kills with SIGKILL during a config write", KILLS);
  figure("config files damaged by them", damaged.length);
  expect(damaged).toEqual([]);
  expect(changed).toBeLessThan(KILLS);
}, 600_000);

test("what a killed process left is swept by the next one that writes", async () => {
  const place = stored(OLD);
  const config = join(place.folder, "config");
  const leftover = join(config, ".config.json.relayctl-0");
  mkdirSync(leftover);
  writeFileSync(join(leftover, "config.json"), '{"version":1,"cont');
  mkdirSync(join(config, "config.json.lock"));
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(config, "config.json.lock"), longAgo, longAgo);
  expect(await relayctl(CHANGE, place)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(config)).toEqual(["config.json"]);
  expect(place.text()?.trimEnd()).toBe(OLD.replace("old", "new"));
});
