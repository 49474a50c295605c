import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { runAction } from "./workflow/action.js";

/**
 * Runs the steps of the workflow in docs/guides/ci.md, except those for one event only, each in an empty workspace: with the
 * action, which gets this tree's built program as its executable, and with a copy of this repository as a clone.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const blocks = readFileSync(join(root, "docs/guides/ci.md"), "utf8").matchAll(/^```yaml\n(.*?)^```$/gms);
const [workflow, build] = [...blocks].map(([, text]) => parse(text));
const [withAction] = Object.values(workflow.jobs);
const steps = withAction.steps.filter((step) => step.if === undefined);
const fromClone = { ...build, steps: [...build.steps, ...steps.filter(({ run: line }) => line !== undefined)] };
const work = mkdtempSync(join(tmpdir(), "relayctl-workflow-"));
const prefix = join(work, "global");

/** What is installed or measured in this tree, which no clone has. Tests of the executable install Bun meanwhile. */
const NOT_CLONED = /^(?:\.git|node_modules|coverage|release|scripts\/release\/toolchain\/[\w-]+)$/;

const server = spawn(process.execPath, [join(root, "bin/relayctl.js"), "serve", "--quiet"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const service = await variablesOf(server);
  await runJob(fromClone, { service, env: variablesIn(fromClone.env, service), bin: join(prefix, "bin") });
  await runJob({ steps }, { service, env: {} });
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

/** The variables or inputs of a workflow, each with the value that its expression stands for. */
function variablesIn(given, service) {
  const value = (text) => String(text).replace(/\$\{\{ \w+\.(\w+) \}\}/, (_, name) => service[name]);
  const found = Object.entries(given).map(([name, text]) => [name, value(text)]);
  const missing = Object.values(service).filter((text) => !found.some(([, expanded]) => expanded === text));
  if (missing.length > 0) throw new Error("the workflow sets the server or the token to something else");
  return Object.fromEntries(found);
}

async function runJob({ steps }, { service, env, bin }) {
  const workspace = mkdtempSync(join(work, "workspace-"));
  const state = { env, path: bin ? [bin] : [] };
  for (const { run: line, uses = "", with: inputs = {}, "working-directory": folder = "." } of steps) {
    console.log(`-- ${line ?? uses}`);
    if (line !== undefined) await run(line, join(workspace, folder), state);
    else if (/^actions\/checkout@/.test(uses) && inputs.repository?.endsWith("/relayctl"))
      clone(join(workspace, inputs.path));
    else if (/\/relayctl@v/.test(uses)) {
      const { path, env: exported } = await runAction({ root, work, inputs: variablesIn(inputs, service) });
      state.path.push(path);
      Object.assign(state.env, exported);
    }
  }
}

function clone(into) {
  mkdirSync(into);
  cpSync(root, into, { recursive: true, filter: (path) => !NOT_CLONED.test(relative(root, path)) });
  symlinkSync(join(root, "node_modules"), join(into, "node_modules"));
}

async function run(line, cwd, { env, path }) {
  // What `npm ci` installs in a clone is installed here already, and linked; what `npm run build` writes was copied.
  const child = spawn("bash", ["-eo", "pipefail", "-c", line.replace(/^npm ci && npm run build && /, "")], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      ...{ npm_config_prefix: prefix, npm_config_prefer_offline: "true" },
      ...env,
      PATH: [...path, process.env.PATH].join(delimiter),
    },
  });
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${line} exited with ${status}`);
}
