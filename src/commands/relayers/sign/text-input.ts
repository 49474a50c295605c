import { readExactText } from "../../../command-support/input-file.ts";
import type { Problems } from "../../../command-support/problems.ts";
import type { Call } from "../../command.ts";

/** A text that stands in a flag, or in a file that another flag names. */
export interface TextFlags {
  /** As typed: `--message`. The flag of the file ends with `-file`. */
  flag: string;
  text: string | undefined;
  file: string | undefined;
}

/** The text exactly as it is, line ends included; nothing when neither flag was typed. */
export async function textInput(
  { app }: Pick<Call, "app">,
  problems: Problems,
  { flag, text, file }: TextFlags,
): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) problems.add(`${flag}-file`, `cannot be combined with ${flag}`);
  if (text === "") problems.add(flag, "is empty");
  return file === undefined ? text : await problems.gather(() => readExactText(app, file), flag);
}
