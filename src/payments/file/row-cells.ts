import type { FileProblems } from "./file-problems.ts";
import type { SourceRow } from "./source-rows.ts";

/** The texts of a row, and the columns that are wrong: one problem for each is enough. */
export class RowCells {
  readonly row: SourceRow;
  private readonly problems: FileProblems;
  private readonly refused: string[];

  constructor(row: SourceRow, problems: FileProblems) {
    this.row = row;
    this.problems = problems;
    this.refused = [...row.refused];
  }

  get isWrong(): boolean {
    return this.refused.length > 0;
  }

  text(name: string): string | undefined {
    return this.row.cell(name);
  }

  /** Adds a problem with a column, unless it has one. */
  refuse(column: string, rule: string): undefined {
    const { row, refused } = this;
    if (refused.includes(column)) return;
    refused.push(column);
    const text = row.cell(column);
    const isSpaced = text !== undefined && text !== text.trim();
    const words = isSpaced ? "begins or ends with a space; remove it" : rule;
    this.problems.add(row.placeOf(column), words, { row: row.row, column }, text);
  }

  /** Leaves out later problems of a column, which are consequences. */
  leaveOut(column: string): void {
    this.refused.push(column);
  }
}
