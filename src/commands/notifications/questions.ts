import type { TextQuestion } from "../../command-support/prompting/ask-text.ts";
import { fieldRule } from "../../command-support/request-body/body-problems.ts";
import { createNotificationSchema } from "../../contract/requests.ts";

/** The prompt for the delivery URL. */
export const URL_QUESTION: TextQuestion = {
  question: "URL:",
  example: "https://hooks.example.org/relayer",
  problem: (url) => fieldRule(createNotificationSchema, "url", url),
};

/** The words for a key that is prompted for, hidden, once everything else is known. */
export const KEY_WORDS = ["--signing-key-file", "-"];
