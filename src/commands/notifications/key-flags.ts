import type { JsonObject } from "../../contract/json.ts";
import { readSecret } from "../../flow/input-file.ts";
import { personPresent } from "../../flow/person.ts";
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
  const { signingKeyFile: file, interactive } = call.flags;
  if (interactive && file !== undefined) problems.add("-i", "cannot be given together with --signing-key-file");
  if (file !== undefined) return await problems.gather(() => readSecret(call.app, file, "--signing-key-file"));
  return interactive ? await askForKey(call, problems) : undefined;
}

/** Nobody is asked for a key while something else is wrong. */
async function askForKey({ app, common }: Call, problems: Problems): Promise<string | undefined> {
  if (!personPresent(app, common)) {
    problems.add("-i", "asks for the key, and nobody is here to be asked; use --signing-key-file");
  }
  if (problems.found.length > 0) return undefined;
  const prompts = await app.prompts();
  const key = await prompts.hidden("Signing key (hidden):");
  if (key !== "") return key;
  problems.add("-i", "the key is empty");
  return undefined;
}

/** Whatever it came from, a key is never printed. */
export function hideKey({ app }: Call, { signing_key }: JsonObject): void {
  if (typeof signing_key === "string" && signing_key !== "") app.secrets.add(signing_key);
}
