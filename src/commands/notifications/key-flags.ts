import { personPresent } from "../../flow/person.ts";
import { readSecret } from "../../flow/input-file.ts";
import type { Problems } from "../../flow/problems.ts";
import type { Call } from "../command.ts";

export interface KeyFlags {
  signingKeyFile?: string;
  interactive?: true;
}

/**
 * The signing key from a file, from stdin, or with `-i` from a hidden prompt. There is no flag that holds the key itself:
 * it would stand in the list of processes.
 */
export async function readSigningKey(call: Call<KeyFlags>, problems: Problems): Promise<string | undefined> {
  const { signingKeyFile, interactive } = call.flags;
  if (signingKeyFile !== undefined) return await readSecret(call.app, signingKeyFile, "--signing-key-file");
  if (!interactive) return undefined;
  if (!personPresent(call.app, call.common)) {
    problems.add("-i", "asks for the key, and nobody is here to be asked; use --signing-key-file");
    return undefined;
  }
  const prompts = await call.app.prompts();
  const key = await prompts.hidden("Signing key (hidden):");
  if (key === "") problems.add("-i", "the key is empty");
  else call.app.secrets.add(key);
  return key;
}

/** Keys never appear in a message. */
export function isSecret(path: string): boolean {
  return path === "signing_key";
}
