import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./bundle.js";

/**
 * npm run test:nodes: installs the nodes of test/nodes, builds the program, and runs one catalog against each node. Needs GETH or geth on
 * the path to include geth. Further arguments are for Vitest.
 */
const run = (command, args) => {
  const env = { ...process.env, RELAYCTL_NODES: "1" };
  const { status } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
};

run("npm", ["ci", "--prefix", join(root, "test/nodes"), "--no-audit", "--no-fund"]);
run("npm", ["run", "build", "--", "--no-types"]);
run("npx", ["vitest", "run", "--project", "nodes", ...process.argv.slice(2)]);
