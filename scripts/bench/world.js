import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { installedTools } from "./tools.js";

const TOKEN = "a-token-of-the-bench";

/**
 * Does the work in a temporary folder, and ends every program that was started for it. The environment has none of the
 * user's settings, e.g. NODE_EXTRA_CA_CERTS, which costs Node 20 more than its whole start.
 * @param settings the `plan` says how much is measured, and `bin` is the file that starts the program
 */
export async function inWorld(settings, work) {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-bench-"));
  const ended = new AbortController();
  const interrupt = () => ended.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await work(createWorld(settings, folder, ended.signal));
  } finally {
    ended.abort();
    rmSync(folder, { recursive: true, force: true });
  }
}

function createWorld({ plan, bin }, folder, signal) {
  const env = environment(folder, bin);
  const world = { plan, folder, signal, env, tokenFile: join(folder, "token"), tools: installedTools(env), say };
  writeFileSync(world.tokenFile, TOKEN, { mode: 0o600 });
  return world;
}

function environment(folder, bin) {
  return {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    TMPDIR: folder,
    LC_ALL: "C.UTF-8",
    // Not RELAYCTL_…: a variable that relayctl does not know costs each command a warning.
    PROGRAM: bin,
    RELAYCTL_CONFIG_DIR: join(folder, "config"),
    RELAYCTL_TOKEN: TOKEN,
    SDK: join(folder, "sdk"),
    SCRIPTS: import.meta.dirname,
  };
}

function say(words) {
  console.error(`bench: ${words}`);
}
