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
 * The signing key from a file or from stdin, which at a terminal is a hidden prompt. There is no flag that holds the key
 * itself: it would stand in the list of processes.
 */
export async function readSigningKey(call: Call<KeyFlags>, problems: Problems): Promise<string | undefined> {
  const { signingKeyFile: file } = call.flags;
  if (file === undefined) return undefined;
  if (file === "-" && personPresent(call.app, call.common)) return await askForKey(call, problems);
  return await problems.gather(() => readSecret(call.app, file, "--signing-key-file"));
}

/** Nobody is asked for a key while something else is wrong. */
async function askForKey({ app }: Call, problems: Problems): Promise<string | undefined> {
  if (problems.found.length > 0) return undefined;
  const prompts = await app.prompts();
  return await prompts.hidden("Signing key (hidden):", { validate: (key) => key !== "" || EMPTY_KEY });
}

const EMPTY_KEY = "needs a key; for example what openssl rand -hex 32 prints";

/** Whatever it came from, a key is never printed. */
export function hideKey({ app }: Call, { signing_key }: JsonObject): void {
  if (typeof signing_key === "string" && signing_key !== "") app.secrets.add(signing_key);
}
