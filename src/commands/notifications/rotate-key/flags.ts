import type { Problems } from "../../../contract/problems.ts";
import type { KeyFlags } from "../flags.ts";

export interface RotateFlags extends KeyFlags {
  generate?: true;
  keyOut?: string;
  oldKeyFile?: string;
  preCheck?: true;
}

export interface Rotation {
  id: string;
  key: string;
  /** The file of the new key; `-` for stdin. */
  keyFile: string | undefined;
  /** Whether the key is new, and still has to be written to its file. */
  isGenerated: boolean;
  oldKey: string | undefined;
  oldKeyFile: string | undefined;
  /** Whether the receiver has to accept the key before it is sent. */
  isPreChecked: boolean;
}

/** Finds flags that contradict each other. */
export function validateRotateFlags({ generate, keyOut, signingKeyFile }: RotateFlags, problems: Problems): void {
  if (generate && signingKeyFile !== undefined)
    problems.add("--generate", "cannot be combined with --signing-key-file");
  if (keyOut === undefined) return;
  if (!generate) problems.add("--key-out", "requires --generate");
  const rule = keyOutProblem(keyOut);
  if (rule !== undefined) problems.add("--key-out", rule, keyOut);
}

/** Returns why a generated key cannot be written to a path. */
export function keyOutProblem(path: string): string | undefined {
  if (path === "") return "needs a file name";
  return path === "-" ? "needs a file name: a key is never printed" : undefined;
}
