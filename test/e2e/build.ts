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
  const folders = ["src", "scripts"].map((name) => join(ROOT, name));
  const inside = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const others = ["package.json", "package-lock.json", "tsconfig.types.json"].map((name) => join(ROOT, name));
  if ([...folders, ...inside, ...others].some((path) => statSync(path).mtimeMs >= started)) return false;
  const { stdout } = await execa(process.execPath, [BIN, "version", "-o", "json"], { reject: false });
  return /"build": "source"/.test(stdout);
}
