import { SHORTEST_SIGNING_KEY } from "../../../contract/resources/notification.ts";
import type { CommandSyntax, InteractiveFlag, ParsedFlags } from "../../command.ts";
import { GENERATE, KEY_OUT } from "../../generated-key.ts";

export type RotateFlags = ParsedFlags<typeof defineRotateKeyFlags> & InteractiveFlag;

export function defineRotateKeyFlags(command: CommandSyntax) {
  return command
    .optionsGroup("New key")
    .option(...GENERATE)
    .option(...KEY_OUT)
    .option(
      "--signing-key-file <file>",
      `Read the new key from a file (\`-\` for stdin, hidden at a terminal; at least ${SHORTEST_SIGNING_KEY} bytes)`,
    )
    .optionsGroup("Rotation")
    .option(
      "--old-key-file <file>",
      "Read the current key from a file, for the command that undoes the rotation (`-` for stdin)",
    )
    .option(
      "--pre-check",
      "First send the receiver a test delivery signed with the new key, and one with the key of --old-key-file; unless each is accepted, nothing is changed",
    );
}

export interface Rotation {
  id: string;
  key: string;
  /** The file of the new key; `-` for stdin. */
  keyFile: string | undefined;
  /** Whether the key is new and not yet written to its file. */
  isGenerated: boolean;
  oldKey: string | undefined;
  oldKeyFile: string | undefined;
  isPreChecked: boolean;
}

export function rotateKeyFile({ signingKeyFile }: RotateFlags): readonly [string, string | undefined] {
  return ["--signing-key-file", signingKeyFile];
}
