/**
 * @typedef {{ file: string, title: string, state: "passed" | "failed" }} Result what became of a test
 * @typedef {{ results: readonly Result[], other: number }} Attempt a run of tests, and its failures outside of tests
 */

/** What is counted in place of the tests of a file that could not be run. */
export const DID_NOT_RUN = "did not run";
/** With more failed files, a second attempt would only hide how much is wrong. */
const MOST_FILES = 3;

/**
 * Returns the files that get a second attempt.
 * @param {Attempt} first
 */
export function filesToRepeat({ results }) {
  const failed = [...new Set(results.filter(({ state }) => state === "failed").map(({ file }) => file))];
  return failed.length > MOST_FILES ? [] : failed;
}

/**
 * Counts the tests of a run. The second attempt of a file is decisive; a test that failed before it is unsteady.
 * @param {Attempt} first
 * @param {ReadonlyMap<string, Attempt>} second by file
 * @returns {{ passed: number, failed: number, lines: string[] }} a line for each test that fails or is unsteady
 */
export function countTests(first, second) {
  const failures = first.results.filter(({ state }) => state === "failed");
  const last = [
    ...first.results.filter(({ file }) => !second.has(file)),
    ...[...second.values()].flatMap(({ results }) => results),
  ];
  const failed = last.filter(({ state }) => state === "failed");
  const other = [first, ...second.values()].reduce((sum, attempt) => sum + attempt.other, 0);
  const unsteady = failures.filter((result) => second.has(result.file) && !failed.some((each) => isSame(each, result)));
  return {
    passed: last.length - failed.length,
    failed: failed.length + other,
    lines: [
      ...unsteady.map((result) => `unsteady: ${textOf(result)}`),
      ...failed.map((result) => `failed: ${textOf(result)}`),
      ...(other > 0 ? ["failed: tests: an error outside of a test"] : []),
    ],
  };
}

/**
 * @param {Result} one
 * @param {Result} other
 */
function isSame(one, other) {
  return one.file === other.file && one.title === other.title;
}

/** @param {Result} result */
function textOf({ file, title }) {
  return `${file}: ${JSON.stringify(title)}`;
}
