import { expect, test } from "vitest";
import { type Combination, combinationsOf, combinationsToRun, commands } from "./table/combinations.ts";

const faultsIn = (combinations: readonly Combination[]) =>
  new Set(combinations.map(({ faults }) => faults.map(({ name }) => name).join(", ")));

test("the sample of the truth table contains every fault, under several settings", () => {
  const sample = commands.flatMap(combinationsToRun);
  expect(faultsIn(sample)).toEqual(faultsIn(commands.flatMap(combinationsOf)));
  expect(new Set(sample.map(({ circumstances }) => JSON.stringify(circumstances))).size).toBe(12);
});

test("the sample of the truth table contains every command with at least three faults", () => {
  expect(commands.filter((command) => faultsIn(combinationsToRun(command)).size < 3)).toEqual([]);
});
