import type { Payment } from "../payment.ts";
import type { FileProblems } from "./file-problems.ts";
import type { SourceRow } from "./source-rows.ts";

/** Finds rows that pay the same a second time, and labels that are not unique. */
export class Repeats {
  private readonly problems: FileProblems;
  private readonly allowDuplicates: boolean;
  /** The first row with each content, and with each label. */
  private readonly contents = new Map<string, number>();
  private readonly labels = new Map<string, number>();

  constructor(problems: FileProblems, allowDuplicates: boolean) {
    this.problems = problems;
    this.allowDuplicates = allowDuplicates;
  }

  compare(payment: Payment, row: SourceRow): void {
    const { to, value, data = "", label } = payment;
    const earlier = this.allowDuplicates
      ? undefined
      : firstWith(this.contents, `${to} ${value} ${data}`.toLowerCase(), row.row);
    if (earlier !== undefined) {
      const what = data === "" ? "receiver and amount" : "receiver, amount, and data";
      this.add(row, "to", `same ${what} as row ${earlier}; if both are meant, use --allow-duplicates`, to);
    }
    const labelled = label === undefined ? undefined : firstWith(this.labels, label, row.row);
    if (labelled !== undefined)
      this.add(row, "label", `row ${labelled} has this label too; each label is unique`, label);
  }

  private add(row: SourceRow, column: string, rule: string, given: string | undefined): void {
    this.problems.add(row.placeOf(column), rule, `row ${row.row}, ${column}`, given);
  }
}

/** Returns the row that had a text first, if it is another one. */
function firstWith(known: Map<string, number>, text: string, row: number): number | undefined {
  const first = known.get(text);
  if (first === undefined) known.set(text, row);
  return first;
}
