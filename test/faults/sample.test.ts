import { DEEP } from "../helpers/deep.ts";
import { type Combination, combinationsOf, combinationsToRun, commands } from "./table/combinations.ts";

const faultsIn = (combinations: readonly Combination[]) =>
  new Set(combinations.map(({ faults }) => faults.map(({ name }) => name).join(", ")));

test("the sample of the truth table contains every fault, under several settings", () => {
  const sample = commands.flatMap(combinationsToRun);
  expect(faultsIn(sample)).toEqual(faultsIn(commands.flatMap(combinationsOf)));
  expect(new Set(sample.map(({ circumstances }) => JSON.stringify(circumstances))).size).toBe(12);
});

test("the sample of the truth table contains every command with at least three faults, and all with each in a deep run", () => {
  const met = (command: (typeof commands)[number]) => faultsIn(combinationsToRun(command)).size;
  const least = (command: (typeof commands)[number]) => (DEEP ? faultsIn(combinationsOf(command)).size : 3);
  expect(commands.filter((command) => met(command) < least(command))).toEqual([]);
});
