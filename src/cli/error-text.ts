import { type JsonObject, writeJson } from "../contract/json.ts";
import { problemText, type RelayctlError } from "../errors.ts";
import { visibleJson } from "../terminal/escape.ts";

/** An error for a person: what failed, why in the service's own words, each problem, and the next command (design 4). */
export function errorText(error: RelayctlError): string[] {
  const problems = error.details.length > 1 ? error.details.map((problem) => `  ${problemText(problem)}`) : [];
  const hint = error.hint === undefined ? [] : [`  hint: ${error.hint}`];
  return [`error: ${error.message}`, ...problems, ...error.because.map((line) => `  ${line}`), ...hint];
}

/** The same as one line for a script: the last line of stderr with `-o json` and `-o ndjson`. */
export function errorLine(error: RelayctlError): string {
  const { failure, message, exitCode, applied, retryable, http, hint, details } = error;
  const described: JsonObject = {
    code: failure,
    message: [message, ...error.because].join("; "),
    exit_code: exitCode,
    applied,
    retryable,
    http: http ? { ...http } : null,
    hint: hint ?? null,
    details: details.map((problem) => ({ ...problem })),
  };
  return visibleJson(writeJson({ error: described }));
}
