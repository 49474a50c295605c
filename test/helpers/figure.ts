import { TestRunner } from "vitest";
import { DEEP } from "./deep.ts";

/** A measurement that docs/project/reliability.md contains. */
export interface Figure {
  name: string;
  value: number;
  /** What to type to measure it again. */
  command: string;
}

declare module "vitest" {
  interface TaskMeta {
    figures?: Figure[];
  }
}

export const COMMAND = DEEP ? "npm run test:deep" : "npm test";

/** Counts something towards a figure, which is the sum of all tests of a run. To be called within a test. */
export function figure(name: string, value: number): void {
  const test = TestRunner.getCurrentTest();
  if (test) test.meta.figures = [...(test.meta.figures ?? []), { name, value, command: COMMAND }];
}
