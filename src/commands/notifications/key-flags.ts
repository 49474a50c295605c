import type { Problems } from "../../command-support/problems.ts";
import { readSecretFlag } from "../../command-support/prompting/secret-flag.ts";
import type { Call } from "../command.ts";
import { isLongEnough } from "./service-rules.ts";

export interface KeyFlags {
  signingKeyFile?: string;
  interactive?: true;
}

/** The signing key from a file or from stdin, which at a terminal is a hidden prompt. */
export async function readSigningKey(call: Call<KeyFlags>, problems: Problems): Promise<string | undefined> {
  return await readSecretFlag(call, problems, {
    flag: "--signing-key-file",
    file: call.flags.signingKeyFile,
    question: "Signing key (hidden):",
    problem: keyProblem,
  });
}

const EXAMPLE = "e.g. what openssl rand -hex 32 prints";

/** A key that is typed and then refused by the service would have to be typed again. */
function keyProblem(key: string): string | undefined {
  if (key === "") return `enter a key, ${EXAMPLE}`;
  return isLongEnough(key) ? undefined : `needs 32 characters or more, ${EXAMPLE}`;
}
