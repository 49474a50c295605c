import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { root } from "./bundle.js";

/**
 * npm run test:monitoring: builds promtool, amtool, and the validator of test/monitoring with Go, and runs the tests of alerts and of
 * deploy/ with them. Further arguments are for Vitest.
 */
const folder = join(root, "test/monitoring");
const bin = join(folder, "bin");
const env = { ...process.env, GOBIN: bin, PATH: `${bin}${delimiter}${process.env.PATH}`, RELAYCTL_MONITORING: "1" };
const run = (command, args, cwd = root) => {
  const { status } = spawnSync(command, args, { cwd, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

run("go", ["install", "github.com/prometheus/prometheus/cmd/promtool@v0.316.0"]);
run("go", ["install", "github.com/prometheus/alertmanager/cmd/amtool@v0.35.0"]);
run("go", ["build", "-o", join(bin, "relayctl-validate"), "."], folder);
const tests = ["test/commands/alerts", "test/deploy"];
run("npx", ["vitest", "run", "--project", "source", ...tests, ...process.argv.slice(2)]);
