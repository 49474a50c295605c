import { createNotificationSchema } from "../../contract/requests.ts";
import type { TextQuestion } from "../../flow/ask-text.ts";
import { judgeBody } from "../../flow/body-problems.ts";
import { Problems } from "../../flow/problems.ts";

/** Where deliveries go. */
export const URL_QUESTION: TextQuestion = {
  question: "URL:",
  example: "https://hooks.example.org/relayer",
  problem(url) {
    const problems = new Problems();
    judgeBody(problems, createNotificationSchema, { url }, (path) => path);
    return problems.found[0]?.rule;
  },
};

/** The words of a key that is asked for, hidden, once everything else is known. */
export const KEY_WORDS = ["--signing-key-file", "-"];
