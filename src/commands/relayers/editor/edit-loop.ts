import { type TextPosition, withoutComments } from "../../../contract/json.ts";
import { type Problem, problemText, RelayctlError, usageError } from "../../../errors.ts";
import { visible } from "../../../terminal/escape.ts";

type PlacedProblem = Problem & { place: TextPosition };

/** What begins the lines on top, which are taken away before the text is read again. */
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

/** With their places in the text as it will be shown: below the lines about them. */
function told(problems: readonly PlacedProblem[]): Problem[] {
  const above = problems.length + 1;
  return problems.map(({ place: { line, column }, where, ...problem }) => {
    const at = `line ${line + above} column ${column}`;
    return { ...problem, where: where === "" ? at : `${at}, ${where}` };
  });
}

/** Whether the service has answered a change with a no that another text may turn into a yes, and applied nothing of it. */
function isRefusal(error: unknown): error is RelayctlError {
  if (!(error instanceof RelayctlError) || error.applied !== "no") return false;
  return error.http?.method === "PATCH" && (error.failure === "rejected" || error.failure === "not_found");
}

/** A refusal for the top of the text that was refused, in the service's own words. */
function refusalLines({ message, because, http }: RelayctlError): string[] {
  return [
    `the service refused this with ${http?.status ?? "an error"}, nothing was applied. Correct the text, or close the editor without changes to cancel.`,
    ...[message, ...because].map((line) => `  ${line}`),
  ];
}

/** Lets a person change a text and gives what they made of it. */
export type Edit = (text: string) => Promise<string>;

/** What a text was read as, or everything that is wrong with it, each at its place in the text. */
export type Reading<T> = { value: T } | { problems: readonly PlacedProblem[] };

/**
 * Opens a text in an editor until it can be read and is not refused, each time with what stands in the way on top.
 * @param use gets what was read, nothing when the text came back as it was; when it is refused, the text is opened again
 * @throws RelayctlError declined when nothing comes back; when a text comes back as it was shown, what stands in its way
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
      const problems = told(reading.problems);
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

/** Whether nothing is left but comments. */
export function isBlank(text: string): boolean {
  return withoutComments(text).trim() === "";
}
