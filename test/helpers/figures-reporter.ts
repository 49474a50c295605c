import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Figure } from "./figure.ts";

/** What a run of the tests measured, for `npm run figures`. */
const FILE = join(import.meta.dirname, "../../coverage/figures.json");

/**
 * Gathers the figures of a run beside those of earlier ones, and tells how many outputs of the program were searched for
 * secrets.
 */
export class FiguresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const searched = sum(tests.map((each) => each.meta().searched ?? 0));
    const figures = tests.flatMap((each) => each.meta().figures ?? []);
    if (searched > 0) {
      const leaks = tests.filter(holdsSecret).length;
      figures.push({ name: "outputs searched for secrets", value: `${searched}`, command: "npm test" });
      figures.push({ name: "secrets found in them", value: `${leaks}`, command: "npm test" });
    }
    if (figures.length > 0) keep(figures);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function holdsSecret(test: TestCase): boolean {
  return (test.result().errors ?? []).some(({ message }) => /holds the (?:token|signing key)/.test(message));
}

/** A figure that was measured again replaces its earlier self. */
function keep(figures: readonly Figure[]): void {
  const all = new Map([...kept(), ...figures].map((figure) => [figure.name, figure]));
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
