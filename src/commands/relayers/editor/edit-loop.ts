import { type TextPosition, withoutComments } from "../../../contract/json.ts";
import { type Problem, problemText, RelayctlError, usageError } from "../../../errors.ts";
import { visible } from "../../../terminal/escape.ts";

type PlacedProblem = Problem & { place: TextPosition };

/** The prefix of lines at the top, which are removed before the text is parsed again. */
const MARK = "//!";

function withLines(text: string, lines: readonly string[]): string {
  return [...lines.map((line) => `${MARK} ${visible(line)}`), text].join("\n");
}

function withoutLines(text: string): string {
  return text.replace(new RegExp(`^(?:${MARK}[^\\n]*\\n)+`), "");
}

function problemLines(problems: readonly Problem[]): string[] {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const head = `${count}, nothing was sent. Correct the text, or close the editor without changes to cancel.`;
  return [head, ...problems.map((problem) => `  ${problemText(problem)}`)];
}

/** Returns problems with their positions in the displayed text, below the lines about them. */
function problemsOf(problems: readonly PlacedProblem[]): Problem[] {
  const above = problems.length + 1;
  return problems.map(({ place: { line, column }, where, ...problem }) => {
    const at = `line ${line + above} column ${column}`;
    return { ...problem, where: where === "" ? at : `${at}, ${where}` };
  });
}

/** Returns whether the service rejected a change that another text may fix, and applied nothing of it. */
function isRefusal(error: unknown): error is RelayctlError {
  if (!(error instanceof RelayctlError) || error.applied !== "no") return false;
  return error.http?.method === "PATCH" && (error.failure === "rejected" || error.failure === "not_found");
}

/** Returns a refusal in the service's own words, for the top of the refused text. */
function refusalLines({ message, because, http }: RelayctlError): string[] {
  return [
    `the service refused this with ${http?.status ?? "an error"}, nothing was applied. Correct the text, or close the editor without changes to cancel.`,
    ...[message, ...because].map((line) => `  ${line}`),
  ];
}

/** Lets the user change a text and returns the result. */
export type Edit = (text: string) => Promise<string>;

/** The parsed value of a text, or all problems with their positions. */
export type Reading<T> = { value: T } | { problems: readonly PlacedProblem[] };

/**
 * Opens a text in an editor until it is valid and not refused, each time with the problems at the top.
 * @param use gets the parsed value, undefined if the text is unchanged; if it is refused, the text is opened again
 * @throws RelayctlError declined if the result is empty; the problems if a text is returned unchanged
 */
export async function editLoop<T, Result>(
  original: string,
  edit: Edit,
  read: (text: string) => Reading<T>,
  use: (value: T | undefined) => Promise<Result>,
): Promise<Result> {
  let shown = original;
  let obstacle: RelayctlError | undefined;
  for (;;) {
    const edited = await edit(shown);
    if (isBlank(edited)) throw new RelayctlError("declined", "the file is empty; nothing was sent");
    if (edited === shown && obstacle) throw obstacle;
    const text = withoutLines(edited);
    const reading = text === original ? { value: undefined } : read(text);
    if ("value" in reading) {
      const used = await unlessRefused(use(reading.value));
      if (!("refusal" in used)) return used.result;
      obstacle = used.refusal;
      shown = withLines(text, refusalLines(obstacle));
    } else {
      const problems = problemsOf(reading.problems);
      obstacle = usageError(problems);
      shown = withLines(text, problemLines(problems));
    }
  }
}

async function unlessRefused<T>(using: Promise<T>): Promise<{ result: T } | { refusal: RelayctlError }> {
  try {
    return { result: await using };
  } catch (error) {
    if (isRefusal(error)) return { refusal: error };
    throw error;
  }
}

/** Returns whether only comments are left. */
export function isBlank(text: string): boolean {
  return withoutComments(text).trim() === "";
}
