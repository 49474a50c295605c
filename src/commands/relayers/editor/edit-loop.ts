import { withoutComments } from "../../../contract/json.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import { isRefusal, refusalLines } from "./refusal.ts";
import { type PlacedProblem, problemLines, told, withLines, withoutLines } from "./words-on-top.ts";

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
    if (isBlank(edited)) throw new RelayctlError("declined", "the file was left empty; nothing was sent");
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
