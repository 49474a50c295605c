import { type Failure, problemText, type RelayctlError } from "../errors.ts";
import type { Message } from "../message.ts";
import { typedTargetHint } from "./parsing/typed-early.ts";

/** Formats an error for people: what failed, the service's words, each problem, and what to do (promises 4.1). */
export function errorText(error: RelayctlError, argv: readonly string[] = []): Message[] {
  const each = error.details.length > 1 ? error.details.map(problemText) : [];
  const problems = (error.summary ?? each).map((line) => `  ${line}`);
  const next = typedTargetHint(error, argv);
  const hint = next === undefined ? [] : [error.continues === true ? { continue: next } : { hint: next }];
  const because = [...error.because, ...(isRefusedWrite(error) ? ["nothing was applied"] : [])];
  const [headline, ...quoted] = headlines(error);
  const facts = [...problems, ...[...quoted, ...because].map((line) => `  ${line}`)];
  const again = error.again === undefined || error.again === error.hint ? [] : [{ again: error.again }];
  return [headline, ...facts, ...hint, ...error.following, ...again];
}

/** Matches the service's parser, whose words are in the terms of its source. */
const PARSER_WORDS =
  /^Json deserialize error\b|^(?:invalid (?:type|value|length)|unknown (?:field|variant)|missing field)\b|\bat line \d+ column \d+$/;
const SIGNALED: readonly Failure[] = ["interrupted", "terminated", "hung_up"];

function headlines(error: RelayctlError): [Message, ...string[]] {
  const { failure, message, subject } = error;
  if (subject?.kind === "stopped") return [message];
  // The result that a command was run to find is not an error to a user.
  if (failure === "changes") return [message];
  if (error.isInterrupted && SIGNALED.includes(failure))
    return [`${message.replace(/^i/, "I").replace(/[;:] (.)/, (_, next) => `. ${next.toUpperCase()}`)}.`];
  // Only a refusal is about the request: relayctl uses the same words for an unreadable response.
  if (failure !== "rejected" || !PARSER_WORDS.test(message)) return [{ error: message }];
  return [{ error: "the service cannot read the request" }, `its words: ${message}`];
}

/** Refusals by the service. Scripts read `applied`; users read words (promises 1). */
const REFUSALS: readonly Failure[] = ["auth", "not_found", "conflict", "rejected", "rate_limited"];

function isRefusedWrite({ failure, applied, http }: RelayctlError): boolean {
  return http !== undefined && http.isRead !== true && applied === "no" && REFUSALS.includes(failure);
}
