import { type Place, withoutComments } from "../../../contract/json.ts";
import { type Problem, problemText, RelayctlError, usageError } from "../../../errors.ts";
import { visible } from "../../../terminal/escape.ts";

/** Lets a person change a text and gives what they made of it. */
export type Edit = (text: string) => Promise<string>;

/** What a text was read as, or everything that is wrong with it, each at its place in the text. */
export type Reading<T> = { value: T } | { problems: readonly PlacedProblem[] };

export type PlacedProblem = Problem & { place: Place };

/**
 * Opens a text in an editor until it can be read, each time with what is wrong with it on top.
 * @returns what was read; nothing when the text came back as it was
 * @throws RelayctlError usage when a text with problems comes back as it was shown, declined when nothing comes back
 */
export async function editLoop<T>(
  original: string,
  edit: Edit,
  read: (text: string) => Reading<T>,
): Promise<T | undefined> {
  let shown = original;
  let problems: Problem[] = [];
  for (;;) {
    const edited = await edit(shown);
    if (isBlank(edited)) throw new RelayctlError("declined", "the file was left empty; nothing was sent");
    if (edited === shown && problems.length > 0) throw usageError(problems);
    const text = withoutProblems(edited);
    if (text === original) return undefined;
    const reading = read(text);
    if ("value" in reading) return reading.value;
    problems = told(reading.problems);
    shown = withProblems(text, problems);
  }
}

/** Whether nothing is left but comments. */
export function isBlank(text: string): boolean {
  return withoutComments(text).trim() === "";
}

/** What begins the lines of the problems, which are taken away before the text is read again. */
const MARK = "//!";

function withProblems(text: string, problems: readonly Problem[]): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const head = `${MARK} ${count}, nothing was sent. Correct the text, or close it as it is to give up.`;
  const lines = problems.map((problem) => `${MARK}   ${visible(problemText(problem))}`);
  return [head, ...lines, text].join("\n");
}

function withoutProblems(text: string): string {
  return text.replace(new RegExp(`^(?:${MARK}[^\\n]*\\n)+`), "");
}

/** With their places in the text as it will be shown: below the lines about them. */
function told(problems: readonly PlacedProblem[]): Problem[] {
  const above = problems.length + 1;
  return problems.map(({ place: { line, column }, where, ...problem }) => {
    const at = `line ${line + above} column ${column}`;
    return { ...problem, where: where === "" ? at : `${at}, ${where}` };
  });
}
