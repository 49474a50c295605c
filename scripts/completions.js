import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./bundle.js";

/**
 * Writes completions/: what the built program prints for each shell.
 * With --check it writes nothing and fails when a file is stale.
 */
const files = { bash: "relayctl.bash", zsh: "_relayctl", fish: "relayctl.fish", powershell: "relayctl.ps1" };
const folder = join(root, "completions");

const scripts = Object.entries(files).map(([shell, file]) => ({
  path: join(folder, file),
  text: execFileSync(process.execPath, [join(root, "bin/relayctl.js"), "completion", shell], { encoding: "utf8" }),
}));

function isStale({ path, text }) {
  try {
    return readFileSync(path, "utf8") !== text;
  } catch {
    return true;
  }
}

if (process.argv.includes("--check")) {
  const stale = scripts.filter(isStale);
  for (const { path } of stale) console.error(`${path} is stale: npm run build && npm run completions`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of scripts) writeFileSync(path, text);
}
