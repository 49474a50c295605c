import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../bundle.js";
import { DID_NOT_RUN } from "./counted-tests.js";

/**
 * A reporter of Vitest that writes what became of each test, as an attempt, into the file of `RESULTS_FILE`.
 * @implements {import("vitest/node").Reporter}
 */
export default class ResultsReporter {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly unknown[]} errors outside of tests
   */
  onTestRunEnd(modules, errors) {
    const results = modules.flatMap(resultsOf);
    writeFileSync(process.env.RESULTS_FILE ?? "", JSON.stringify({ results, other: errors.length }));
  }
}

/** @param {import("vitest/node").TestModule} module */
function resultsOf(module) {
  const file = relative(root, module.moduleId);
  const results = [...module.children.allTests()].flatMap((test) => {
    const { state } = test.result();
    return state === "passed" || state === "failed" ? [{ file, title: test.fullName, state }] : [];
  });
  const isLost = module.state() === "failed" && results.every(({ state }) => state !== "failed");
  return isLost ? [...results, { file, title: DID_NOT_RUN, state: "failed" }] : results;
}
