import { EXIT_CODES } from "../../../src/errors.ts";
import { closed, count, flag, list, orNull, text, word } from "./schema.ts";

const DETAIL = closed(
  "A problem, or the part of a command that failed.",
  { where: text("A flag, an argument, a field, or an ID."), rule: text("What is wrong.") },
  { given: text("The value that was specified.") },
);

const HTTP = closed("The request that failed; null if none was sent.", {
  status: count("The HTTP status."),
  method: text("The HTTP method."),
  path: text("The path of the request."),
});

export const ERROR = closed("A failure with -o json or ndjson: the last line of stderr.", {
  error: closed("What failed.", {
    code: word("The stable word for the failure.", Object.keys(EXIT_CODES)),
    message: text("What is wrong, in words."),
    exit_code: { description: "The exit code.", enum: Object.values(EXIT_CODES) },
    applied: word("Whether a write was applied.", ["no", "yes", "unknown"]),
    retryable: flag("Whether the same command can succeed later."),
    http: orNull(HTTP),
    hint: orNull(text("The command or the words that help; null if there are none.")),
    details: list("The problems, or the parts that failed.", DETAIL),
  }),
});
