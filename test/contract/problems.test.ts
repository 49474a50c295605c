import { Problems } from "../../src/contract/problems.ts";
import type { Problem } from "../../src/errors.ts";

const MANY = 1_000;

/** Problems that count how often anything asks where they are. */
function countedProblems(): { problems: Problem[]; reads(): number } {
  let reads = 0;
  const problems = Array.from({ length: MANY }, (_, index) => ({
    get where() {
      reads += 1;
      return `field.${index}`;
    },
    rule: "is wrong",
  }));
  return { problems, reads: () => reads };
}

test("finds a problem however it was added, and one whose file could not be read", async () => {
  const problems = new Problems([{ where: "given", rule: "is wrong" }]);
  problems.add("added", "is wrong");
  expect(["given", "added", "pushed"].map((where) => problems.has(where))).toEqual([true, true, false]);
  problems.found.push({ where: "pushed", rule: "is wrong" });
  problems.leaveOut("left out");
  expect(["given", "added", "pushed", "left out", "other"].map((where) => problems.has(where))).toEqual([
    ...[true, true, true, true, false],
  ]);
});

test("reads each problem once, however many are added and asked about", () => {
  const { problems: each, reads } = countedProblems();
  const problems = new Problems();
  for (const problem of each) {
    problems.found.push(problem);
    expect(problems.has("elsewhere")).toBe(false);
  }
  expect(reads()).toBe(MANY);
});
