import { readExactText } from "../../../command-support/input-file.ts";
import type { Problems } from "../../../command-support/problems.ts";
import type { Call } from "../../command.ts";

/** A text in a flag, or in a file specified by another flag. */
export interface TextFlags {
  /** As typed: `--message`. The file's flag ends with `-file`. */
  flag: string;
  text: string | undefined;
  file: string | undefined;
}

/** Reads the exact text, including line endings; undefined without either flag. */
export async function textInput(
  { app }: Pick<Call, "app">,
  problems: Problems,
  { flag, text, file }: TextFlags,
): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) problems.add(`${flag}-file`, `cannot be combined with ${flag}`);
  if (text === "") problems.add(flag, "is empty");
  return file === undefined ? text : await problems.gather(() => readExactText(app, file), flag);
}
