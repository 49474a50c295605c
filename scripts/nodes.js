import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./bundle.js";

/**
 * npm run test:nodes: installs the nodes of test/nodes, builds the program, and runs one catalog against each node. Uses GETH or the
 * geth on the path, or builds it with Go; without Go, its tests say why they are skipped. Further arguments are for Vitest.
 */
const bin = join(root, "test/nodes/bin");
const env = { ...process.env, GOBIN: bin, RELAYCTL_NODES: "1" };

function has(program) {
  return spawnSync(program, ["version"], { env, stdio: "ignore" }).status === 0;
}

const run = (command, args) => {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
};

run("npm", ["ci", "--prefix", join(root, "test/nodes"), "--no-audit", "--no-fund"]);
if (!env.GETH && !has("geth") && has("go")) {
  run("go", ["install", "github.com/ethereum/go-ethereum/cmd/geth@v1.17.10"]);
  env.GETH = join(bin, "geth");
}
run("npm", ["run", "build", "--", "--no-types"]);
run("npx", ["vitest", "run", "--project", "nodes", ...process.argv.slice(2)]);
