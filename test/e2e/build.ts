import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { BIN, EXECUTABLE } from "./program.ts";
import { ROOT } from "./relayctl.ts";

/** Builds before the first test of what is built, unless an executable is tested, or nothing has changed since the last build. */
export async function setup(): Promise<void> {
  if (!EXECUTABLE && !(await isCurrent())) await execa("npm", ["run", "build"], { cwd: ROOT });
}

/** Whether all was built as `npm run build` does it: it writes the first of these files first, and the second last. */
async function isCurrent(): Promise<boolean> {
  const [first, last] = ["package.json", "index.d.ts"].map((name) => join(ROOT, "dist", name));
  if (!first || !last || !existsSync(first) || !existsSync(last)) return false;
  const started = statSync(first).mtimeMs;
  // What is below the folders of `scripts` is not part of a build.
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const scripts = readdirSync(join(ROOT, "scripts")).filter((name) => name.endsWith(".js"));
  const inside = [...sources.map((name) => join("src", name)), ...scripts.map((name) => join("scripts", name))];
  const names = [...inside, "src", "scripts", "package.json", "package-lock.json", "tsconfig.types.json"];
  if (names.some((name) => statSync(join(ROOT, name)).mtimeMs >= started)) return false;
  const { stdout } = await execa(process.execPath, [BIN, "version", "-o", "json"], { reject: false });
  return /"build": "source"/.test(stdout);
}
