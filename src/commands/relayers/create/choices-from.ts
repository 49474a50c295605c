import { reachOf } from "../../../command-support/shown.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Choice } from "../../../terminal/prompts.ts";
import type { Call } from "../../command.ts";

type Choices = readonly Choice<string>[];

/** Returns the choices; undefined if the value must be typed: in a dry run, or if the service has no such list. */
export async function choicesFrom(call: Call, list: (call: Call) => Promise<Choices>): Promise<Choices | undefined> {
  if (reachOf(call) === "nothing") return undefined;
  try {
    const choices = await list(call);
    return choices.length > 0 ? choices : undefined;
  } catch (error) {
    if (error instanceof RelayctlError && [404, 405, 501].includes(error.http?.status ?? 0)) return undefined;
    throw error;
  }
}
