import { countTests, DID_NOT_RUN, filesToRepeat } from "../../../scripts/ci/counted-tests.js";

/** Reads `a: one passed, two failed`; a file in each line. */
function attemptOf(...lines: string[]) {
  const results = lines.flatMap((line) => {
    const [file = "", tests = ""] = line.split(": ");
    return tests.split(", ").map((test) => {
      const [title = "", state = ""] = test.split(" ");
      return { file, title, state: state === "passed" ? ("passed" as const) : ("failed" as const) };
    });
  });
  return { results, other: 0 };
}

const second = (...lines: string[]) => new Map(lines.map((line) => [line.split(": ")[0] ?? "", attemptOf(line)]));

test("tests that pass are counted, and nothing is repeated", () => {
  const first = attemptOf("a: one passed, two passed", "b: three passed");
  expect(filesToRepeat(first)).toEqual([]);
  expect(countTests(first, new Map())).toEqual({ passed: 3, failed: 0, lines: [] });
});

test("a file that passes in its second attempt counts as passed, and its failed tests are listed as unsteady", () => {
  const first = attemptOf("a: one failed, two passed", "b: three passed");
  expect(filesToRepeat(first)).toEqual(["a"]);
  expect(countTests(first, second("a: one passed, two passed"))).toEqual({
    passed: 3,
    failed: 0,
    lines: ['unsteady: a: "one"'],
  });
});

test("what fails twice fails, and what fails only in the second attempt fails too", () => {
  const first = attemptOf("a: one failed, two failed, three passed", "b: four passed");
  expect(countTests(first, second("a: one failed, two passed, three failed"))).toEqual({
    passed: 2,
    failed: 2,
    lines: ['unsteady: a: "two"', 'failed: a: "one"', 'failed: a: "three"'],
  });
});

test("a file that could not be run at first is counted with the tests of its second attempt", () => {
  const first = { results: [{ file: "a", title: DID_NOT_RUN, state: "failed" as const }], other: 0 };
  expect(filesToRepeat(first)).toEqual(["a"]);
  expect(countTests(first, second("a: one passed, two passed"))).toEqual({
    passed: 2,
    failed: 0,
    lines: [`unsteady: a: "${DID_NOT_RUN}"`],
  });
  expect(countTests(first, new Map([["a", first]]))).toMatchObject({ passed: 0, failed: 1 });
});

test("with failures in more than three files, none is repeated", () => {
  const three = ["a: one failed", "b: two failed", "c: three failed"];
  expect(filesToRepeat(attemptOf(...three))).toEqual(["a", "b", "c"]);
  const first = attemptOf(...three, "d: four failed");
  expect(filesToRepeat(first)).toEqual([]);
  expect(countTests(first, new Map())).toMatchObject({ passed: 0, failed: 4 });
});

test("an error outside of a test fails, in either attempt", () => {
  const first = attemptOf("a: one failed");
  expect(countTests({ ...first, other: 1 }, second("a: one passed"))).toEqual({
    passed: 1,
    failed: 1,
    lines: ['unsteady: a: "one"', "failed: tests: an error outside of a test"],
  });
  expect(countTests(first, new Map([["a", { results: [], other: 1 }]]))).toMatchObject({ passed: 0, failed: 1 });
});
