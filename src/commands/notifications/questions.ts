import { createNotificationSchema } from "../../contract/requests.ts";
import type { TextQuestion } from "../../flow/ask-text.ts";
import { fieldRule } from "../../flow/body-problems.ts";

/** Where deliveries go. */
export const URL_QUESTION: TextQuestion = {
  question: "URL:",
  example: "https://hooks.example.org/relayer",
  problem: (url) => fieldRule(createNotificationSchema, "url", url),
};

/** The words of a key that is asked for, hidden, once everything else is known. */
export const KEY_WORDS = ["--signing-key-file", "-"];
