import { TestRunner } from "vitest";

/** Something that a test measured and docs/reliability.md tells. */
export interface Figure {
  name: string;
  value: string;
  /** What to type to measure it again. */
  command: string;
}

declare module "vitest" {
  interface TaskMeta {
    figures?: Figure[];
  }
}

/** Hands a figure to the reporter, which keeps it for `npm run figures`. To be called within a test. */
export function figure(name: string, value: number | string, command: string): void {
  const test = TestRunner.getCurrentTest();
  if (test) test.meta.figures = [...(test.meta.figures ?? []), { name, value: String(value), command }];
}
