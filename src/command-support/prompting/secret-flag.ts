import type { Problems } from "../../contract/problems.ts";
import { isLongEnough, SHORTEST_SIGNING_KEY } from "../../contract/resources/notification.ts";
import { readSecretInput } from "../../session/input-file.ts";
import type { Call } from "../call.ts";
import { canPrompt } from "./prompts.ts";

/** A secret that a command reads. No flag contains a secret itself: it would appear in the process list. */
export interface SecretInput {
  flag: string;
  /** `-` is stdin. */
  file: string | undefined;
  question: string;
  /** Returns why the input is invalid, without quoting it. */
  problem(answer: string): string | undefined;
}

export async function readSecretFlag(
  call: Pick<Call, "app" | "common">,
  problems: Problems,
  input: SecretInput,
): Promise<string | undefined> {
  const { flag, file } = input;
  if (file === undefined) return undefined;
  if (file === "-" && canPrompt(call.app, call.common)) return await askSecretFlag(call, problems, input);
  // Two readers of stdin are one mistake.
  if (file === "-" && problems.has("-")) return problems.leaveOut(flag);
  return await problems.gather(() => readSecretInput(call.app, file, flag), flag);
}

export async function askSecretFlag(
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

const EXAMPLE = "e.g. what openssl rand -hex 32 prints";

/** Returns why the service would refuse a key, so that it need not be typed twice. */
export function secretKeyProblem(key: string): string | undefined {
  if (key === "") return `enter a key, ${EXAMPLE}`;
  return isLongEnough(key) ? undefined : `needs ${SHORTEST_SIGNING_KEY} bytes or more, ${EXAMPLE}`;
}

/** Why the real service rejects a key that the interface allows (facts 6). */
export const SHORT_KEY = `services up to v1.8 refuse a signing key of less than ${SHORTEST_SIGNING_KEY} bytes`;
