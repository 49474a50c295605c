import type { Call } from "../call.ts";
import { readSecret } from "../input-file.ts";
import type { Problems } from "../problems.ts";
import { personPresent } from "./person.ts";

/** A secret that a command takes. There is no flag that holds one itself: it would stand in the list of processes. */
export interface SecretInput {
  /** The flag that names its file. */
  flag: string;
  /** What was typed for that flag; `-` is stdin. */
  file: string | undefined;
  question: string;
  /** Says why an answer cannot be meant; nothing of the answer may be in it. */
  problem(answer: string): string | undefined;
}

/** The secret from its file or from stdin, which at a terminal is a hidden prompt; nothing when the flag was not typed. */
export async function readSecretFlag(
  call: Pick<Call, "app" | "common">,
  problems: Problems,
  input: SecretInput,
): Promise<string | undefined> {
  const { flag, file } = input;
  if (file === undefined) return undefined;
  if (file === "-" && personPresent(call.app, call.common)) return await askSecret(call, problems, input);
  // Two parts of the command that would read stdin are one mistake; that nothing is left for the second is no other.
  if (file === "-" && problems.has("-")) return problems.leaveOut(flag);
  return await problems.gather(() => readSecret(call.app, file, flag), flag);
}

/** Asks for it, hidden. Nobody is asked for a secret while something else is wrong. */
export async function askSecret(
  { app }: Pick<Call, "app">,
  problems: Problems,
  { question, problem }: Pick<SecretInput, "question" | "problem">,
): Promise<string | undefined> {
  if (problems.found.length > 0) return undefined;
  const prompts = await app.prompts();
  const secret = await prompts.hidden(question, { validate: (answer) => problem(answer) ?? true });
  app.secrets.add(secret);
  return secret;
}
