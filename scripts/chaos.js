import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { breaking } from "./breaking.js";
import { root, textOfFile } from "./bundle.js";

/**
 * npm run chaos -- [--seed N] [--runs N] [--threads N] [--findings N] [--log] [--payouts]: lives seeded lives against a model
 * of service, node, and chain. --breaks breaks the sources in one place after the other, and prints the first seed or test that
 * finds it; --only WORDS only breaks the places whose description contains the words.
 */
const BREAKS = join(root, "test/chaos/breaks.json");

/** Bundles the lives into a folder, with one place of the sources broken, and returns the file. */
async function build(folder, broken) {
  const file = join(folder, "chaos.mjs");
  const plugins = [textOfFile, ...(broken ? [breaking(broken)] : [])];
  const bundle = await rolldown({ input: join(root, "test/chaos/main.ts"), platform: "node", plugins });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}

async function tryBreaks(folder, options) {
  const only = options[0] === "--only" ? options.splice(0, 2)[1] : "";
  const breaks = JSON.parse(readFileSync(BREAKS, "utf8")).filter(({ what }) => what.includes(only));
  if (breaks.length === 0) throw new Error(`no break contains ${only}`);
  for (const broken of breaks) {
    const found = broken.test ? testing(broken) : await living(folder, broken, options);
    if (found === undefined) process.exitCode = 1;
    process.stdout.write(`${broken.what} (${broken.file}): ${found ?? "not found"}\n`);
  }
}

/** Returns the first seed whose life finds a break, and what it finds. */
async function living(folder, broken, options) {
  const file = await build(folder, broken);
  const lives = broken.lives === "payouts" ? ["--payouts", "--runs", "1000"] : ["--runs", "10000"];
  const { stdout } = spawnSync(process.execPath, [file, ...lives, "--findings", "1", ...options], {
    cwd: root,
    encoding: "utf8",
  });
  const [, seed, words] = /--seed (\d+) --runs 1\n {2}(.*)/.exec(stdout) ?? [];
  return seed && `seed ${seed}, ${words}`;
}

/** Returns which test of a file finds a break in what lives have a model of: the calls of the disk. */
function testing(broken) {
  const env = { ...process.env, RELAYCTL_BREAK: JSON.stringify(broken), NO_COLOR: "1" };
  const args = ["vitest", "run", "--project", "source", "--bail", "1", broken.test];
  const { stderr } = spawnSync("npx", args, { cwd: root, encoding: "utf8", env });
  return /^ *FAIL .*? > (.*)$/m.exec(stderr)?.[1];
}

mkdirSync(join(root, "coverage"), { recursive: true });
// A folder for each process: several can run at once.
const folder = mkdtempSync(join(root, "coverage", "chaos-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
process.once("SIGINT", () => process.exit(130));
process.chdir(root);
const [first, ...options] = process.argv.slice(2);
if (first === "--breaks") await tryBreaks(folder, options);
else await import(pathToFileURL(await build(folder)).href);
