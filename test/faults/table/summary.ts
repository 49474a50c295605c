import { figure } from "../../helpers/figure.ts";

export interface Verdict {
  /** What is wrong, each with the name of the combination; none when all is as it must be. */
  problems: readonly string[];
  /** A write was sent again after it may have left. */
  sentAgain: boolean;
  replaces: boolean;
}

/** Counts combinations towards the figures of the run. To be called within a test. */
export function countVerdicts(where: string, verdicts: readonly Verdict[]): void {
  for (const [name, value] of Object.entries(figuresOf(verdicts))) figure(`truth table ${where}: ${name}`, value);
}

/** One line with the figures of a table. */
export function summaryOf(name: string, verdicts: readonly Verdict[]): string {
  const figures = Object.entries(figuresOf(verdicts)).map(([what, value]) => `${what} ${value}`);
  return `truth table, ${name}: ${figures.join(", ")}`;
}

function figuresOf(verdicts: readonly Verdict[]): Record<string, number> {
  const count = (isCounted: (verdict: Verdict) => boolean) => verdicts.filter(isCounted).length;
  return {
    combinations: verdicts.length,
    "false claims": count(({ problems }) => problems.length > 0),
    "replace sent twice": count(({ sentAgain, replaces }) => sentAgain && replaces),
  };
}
