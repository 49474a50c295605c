import type { Payment } from "../payment.ts";
import type { Spelling } from "../spelling.ts";
import type { FileProblems } from "./file-problems.ts";
import type { SourceRow } from "./source-rows.ts";

/** Whether equal payments are meant, and how a user says so. */
interface DuplicateRules {
  allowDuplicates: boolean;
  spelling: Spelling;
}

/** Finds rows that pay the same a second time, and labels that are not unique. */
export class Repeats {
  private readonly problems: FileProblems;
  private readonly rules: DuplicateRules;
  /** The first row with each content, and with each label. */
  private readonly contents = new Map<string, number>();
  private readonly labels = new Map<string, number>();

  constructor(problems: FileProblems, rules: DuplicateRules) {
    this.problems = problems;
    this.rules = rules;
  }

  compare(payment: Payment, row: SourceRow): void {
    const { to, value, data = "", label } = payment;
    const { allowDuplicates, spelling } = this.rules;
    const earlier = allowDuplicates
      ? undefined
      : firstWith(this.contents, `${to} ${value} ${data}`.toLowerCase(), row.row);
    if (earlier !== undefined) {
      const what = data === "" ? "receiver and amount" : "receiver, amount, and data";
      this.add(row, "to", `same ${what} as row ${earlier}; if both are meant, use ${spelling.allowDuplicates}`, to);
    }
    const labelled = label === undefined ? undefined : firstWith(this.labels, label, row.row);
    if (labelled !== undefined)
      this.add(row, "label", `row ${labelled} has this label too; each label is unique`, label);
  }

  private add(row: SourceRow, column: string, rule: string, given: string | undefined): void {
    this.problems.add(row.placeOf(column), rule, { row: row.row, column }, given);
  }
}

/** Returns the row that had a text first, if it is another one. */
function firstWith(known: Map<string, number>, text: string, row: number): number | undefined {
  const first = known.get(text);
  if (first === undefined) known.set(text, row);
  return first;
}
