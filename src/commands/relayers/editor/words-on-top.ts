import type { TextPosition } from "../../../contract/json.ts";
import { type Problem, problemText } from "../../../errors.ts";
import { visible } from "../../../terminal/escape.ts";

export type PlacedProblem = Problem & { place: TextPosition };

/** What begins the lines on top, which are taken away before the text is read again. */
const MARK = "//!";

export function withLines(text: string, lines: readonly string[]): string {
  return [...lines.map((line) => `${MARK} ${visible(line)}`), text].join("\n");
}

export function withoutLines(text: string): string {
  return text.replace(new RegExp(`^(?:${MARK}[^\\n]*\\n)+`), "");
}

export function problemLines(problems: readonly Problem[]): string[] {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const head = `${count}, nothing was sent. Correct the text, or close it as it is to give up.`;
  return [head, ...problems.map((problem) => `  ${problemText(problem)}`)];
}

/** With their places in the text as it will be shown: below the lines about them. */
export function told(problems: readonly PlacedProblem[]): Problem[] {
  const above = problems.length + 1;
  return problems.map(({ place: { line, column }, where, ...problem }) => {
    const at = `line ${line + above} column ${column}`;
    return { ...problem, where: where === "" ? at : `${at}, ${where}` };
  });
}
