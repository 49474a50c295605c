import type { Client } from "../client/client.ts";
import { isShown } from "../command-support/shown.ts";
import { RelayctlError } from "../errors.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { Call } from "./command.ts";

/** A kind of resource that can be created under the user's own ID. */
export interface Creatable {
  /** E.g. `notification`; with an s it is the first word of its commands. */
  noun: string;
  get(client: Client, id: string): Promise<unknown>;
}

/** Looks up the ID first: the real service responds 500 to one in use (facts 1.9). @throws RelayctlError conflict */
export async function refuseExistingId(call: Call, { noun, get }: Creatable, id: string): Promise<void> {
  const { client, flags } = await call.session();
  try {
    await get(client, id);
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return;
    throw error;
  }
  throw new RelayctlError("conflict", `a ${noun} with the id ${id} already exists`, {
    because: ["nothing was sent"],
    hint: commandLine(...flags, `${noun}s`, "get", id),
  });
}

/** Returns the problem of an ID in use, before other prompts; a dry run looks up nothing. */
export async function existingIdProblem(call: Call, creatable: Creatable, id: string): Promise<string | undefined> {
  if (isShown(call)) return undefined;
  try {
    await refuseExistingId(call, creatable, id);
    return undefined;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "conflict") return error.message;
    throw error;
  }
}
