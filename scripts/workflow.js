import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/**
 * Runs the steps of the workflow in docs/scripting.md as written, in an empty workspace with a copy of this repository as a clone
 * has it, against the embedded server of this tree, which has to be built.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [, workflow = ""] = /^```yaml\n(.*?)^```$/ms.exec(readFileSync(join(root, "docs/scripting.md"), "utf8")) ?? [];
const [job] = Object.values(parse(workflow).jobs);
const work = mkdtempSync(join(tmpdir(), "relayctl-workflow-"));
const workspace = join(work, "workspace");
const prefix = join(work, "global");

/** What is built, installed, or measured in this tree, which no clone has. */
const NOT_CLONED = [".git", "node_modules", "dist", "coverage", "release", ...toolchains()];

/** The folders with Bun of each platform. */
function toolchains() {
  const folder = "scripts/release/toolchain";
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

const server = spawn(process.execPath, [join(root, "bin/relayctl.js"), "serve", "--quiet"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  mkdirSync(workspace);
  const service = await variablesOf(server);
  for (const [name, value] of Object.entries(service)) {
    if (!String(job.env[name]).includes(`.${name} }}`)) throw new Error(`the workflow does not set ${name}`);
    process.env[name] = value;
  }
  for (const step of job.steps) runStep(step);
} finally {
  server.kill("SIGINT");
  rmSync(work, { recursive: true, force: true });
}

/** Reads the two variables that `relayctl serve` prints. */
async function variablesOf({ stdout }) {
  let text = "";
  while (!/^export RELAYCTL_TOKEN.*\n/m.test(text)) text += (await once(stdout, "data"))[0];
  return Object.fromEntries([...text.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
}

function runStep({ run: line, uses = "", with: inputs = {}, "working-directory": folder = "." }) {
  console.log(`-- ${line ?? uses}`);
  if (line !== undefined) return run("bash", ["-eo", "pipefail", "-c", line], join(workspace, folder));
  if (!uses.startsWith("actions/checkout@") || !inputs.repository?.endsWith("/relayctl")) return;
  const isCloned = (path) => !NOT_CLONED.includes(relative(root, path));
  cpSync(root, join(workspace, inputs.path ?? "."), { recursive: true, filter: isCloned });
}

function run(file, args, cwd = root) {
  const path = [join(prefix, "bin"), process.env.PATH].join(delimiter);
  const { status } = spawnSync(file, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, PATH: path, npm_config_prefix: prefix, npm_config_prefer_offline: "true" },
  });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} exited with ${status}`);
}
