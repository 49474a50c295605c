import type { Problems } from "../../flow/problems.ts";
import { readSecretFlag } from "../../flow/secret-flag.ts";
import type { Call } from "../command.ts";

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
    problem: (key) => (key === "" ? EMPTY_KEY : undefined),
  });
}

const EMPTY_KEY = "needs a key; for example what openssl rand -hex 32 prints";
