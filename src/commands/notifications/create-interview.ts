import { idProblem } from "../../contract/id.ts";
import { RelayctlError } from "../../errors.ts";
import { askFlag, type FlagQuestion } from "../../flow/ask-flag.ts";
import { Problems } from "../../flow/problems.ts";
import type { Call } from "../command.ts";
import { creationFromFlags } from "./body-from-flags.ts";
import type { CreateFlags } from "./flags.ts";
import { KEY_WORDS, URL_QUESTION } from "./questions.ts";
import { refuseTaken } from "./send-creation.ts";

/** Asks for the URL when it is missing; with `-i` for the id and the key too. */
export async function createInterview(call: Call<CreateFlags>): Promise<string[]> {
  const { signingKeyFile, interactive } = call.flags;
  const problems = new Problems();
  const { url, id, signing_key } = await creationFromFlags(call, problems);
  // Nobody is asked while something that was typed is wrong.
  if (problems.found.some(({ where }) => where !== "--url" || url !== undefined)) return [];
  const prompts = await call.app.prompts();
  const words = url === undefined ? await askFlag(prompts, URL_QUESTION) : [];
  if (!interactive) return words;
  if (id === undefined) words.push(...(await askFlag(prompts, idQuestion(call))));
  const hasKey = signingKeyFile !== undefined || signing_key !== undefined;
  return hasKey ? words : [...words, ...(await prompts.select("Signing key:", KEY_CHOICES))];
}

const KEY_CHOICES = [
  { value: KEY_WORDS, name: "one that is typed, hidden" },
  { value: [], name: "none: deliveries are sent unsigned" },
];

function idQuestion(call: Call): FlagQuestion {
  return {
    flag: "--id",
    question: "Id (enter: one is made):",
    optional: true,
    example: "ops-hook",
    problem: idProblem,
    conflict: (id) => takenProblem(call, id),
  };
}

/** An id in use is told where it is typed, before a key is; a request that is only shown looks nothing up. */
async function takenProblem(call: Call, id: string): Promise<string | undefined> {
  if (call.common.dryRun || call.common.curl) return undefined;
  try {
    await refuseTaken(call, id);
    return undefined;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "conflict") return error.message;
    throw error;
  }
}
