import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Figure } from "./figure.ts";

/** What runs of the tests measured, for `npm run figures`. */
const FILE = join(import.meta.dirname, "../../coverage/figures.json");

/** Adds up the figures of a run, e.g. of outputs that were searched for secrets, and keeps them with earlier ones. */
export class FiguresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const figures = tests.flatMap((each) => [...(each.meta().figures ?? []), ...searchOf(each)]);
    if (figures.length > 0) keep(added(figures));
  }
}

function searchOf(test: TestCase): Figure[] {
  const { searched = 0, command = "npm test" } = test.meta();
  const leaks = (test.result().errors ?? []).filter(({ message }) => /holds the (?:token|signing key)/.test(message));
  if (searched + leaks.length === 0) return [];
  return [
    { name: "outputs searched for secrets", value: searched, command },
    { name: "of these with a secret", value: leaks.length, command },
  ];
}

function keyOf({ name, command }: Figure): string {
  return `${name} ${command}`;
}

function added(figures: readonly Figure[]): Map<string, Figure> {
  const sums = new Map<string, Figure>();
  for (const figure of figures) {
    const value = (sums.get(keyOf(figure))?.value ?? 0) + figure.value;
    sums.set(keyOf(figure), { ...figure, value });
  }
  return sums;
}

/** A figure that was measured again replaces its earlier self. */
function keep(figures: ReadonlyMap<string, Figure>): void {
  const all = new Map([...kept().map((figure) => [keyOf(figure), figure] as const), ...figures]);
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify([...all.values()], null, 2)}\n`);
}

function kept(): Figure[] {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as Figure[];
  } catch {
    return [];
  }
}
