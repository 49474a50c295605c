import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../bundle.js";
import { countTests, filesToRepeat } from "./counted-tests.js";

/**
 * Runs the tests, and each file with failed tests once more by itself. Writes the numbers of passed and failed tests
 * into a file, then a line for each test that fails or is unsteady. Other arguments are flags of Vitest.
 */
const [report = "", ...args] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "relayctl-tests-"));

/**
 * @param {readonly string[]} more for Vitest
 * @returns {import("./counted-tests.js").Attempt}
 */
function attempt(...more) {
  const results = join(folder, "results.json");
  rmSync(results, { force: true });
  const reporters = ["--reporter=default", `--reporter=${join(import.meta.dirname, "results-reporter.js")}`];
  const { status } = spawnSync("npm", ["test", "--", ...reporters, ...args, ...more], {
    cwd: root,
    env: { ...process.env, RESULTS_FILE: results },
    stdio: "inherit",
  });
  const lost = { results: [], other: 1 };
  try {
    const found = JSON.parse(readFileSync(results, "utf8"));
    const isExplained = found.other > 0 || found.results.some(({ state }) => state === "failed");
    return status === 0 || isExplained ? found : { ...found, other: 1 };
  } catch {
    return lost;
  }
}

const first = attempt();
const second = new Map(
  filesToRepeat(first).map((file) => {
    console.log(`== second attempt: ${file}`);
    return [file, attempt("--maxWorkers=1", join(root, file))];
  }),
);
const { passed, failed, lines } = countTests(first, second);
writeFileSync(report, [`${passed} ${failed}`, ...lines, ""].join("\n"));
rmSync(folder, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;
