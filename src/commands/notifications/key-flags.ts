import type { Problems } from "../../command-support/problems.ts";
import { readSecretFlag } from "../../command-support/prompting/secret-flag.ts";
import type { Call } from "../command.ts";
import { isLongEnough } from "./service-rules.ts";

export interface KeyFlags {
  signingKeyFile?: string;
  interactive?: true;
}

/** Reads the signing key from a file or from stdin, which at a terminal is a hidden prompt. */
export async function readSigningKey(call: Call<KeyFlags>, problems: Problems): Promise<string | undefined> {
  return await readSecretFlag(call, problems, {
    flag: "--signing-key-file",
    file: call.flags.signingKeyFile,
    question: "Signing key (hidden):",
    problem: keyProblem,
  });
}

const EXAMPLE = "e.g. what openssl rand -hex 32 prints";

/** Returns why the service would refuse a key, so that it need not be typed twice. */
function keyProblem(key: string): string | undefined {
  if (key === "") return `enter a key, ${EXAMPLE}`;
  return isLongEnough(key) ? undefined : `needs 32 characters or more, ${EXAMPLE}`;
}
