import { type JsonObject, writeJson } from "../contract/json.ts";
import type { RelayctlError } from "../errors.ts";
import { visibleJson } from "../terminal/escape.ts";

/** Formats an error as one line for scripts: the last line of stderr with `-o json` and `-o ndjson`. */
export function errorLine(error: RelayctlError): string {
  const { failure, message, exitCode, applied, retryable, http, hint, details, again } = error;
  const described: JsonObject = {
    code: failure,
    message: [message, ...error.because].join("; "),
    exit_code: exitCode,
    applied,
    retryable,
    http: http ? { ...http } : null,
    hint: hint ?? null,
    details: details.map((problem) => ({ ...problem })),
    ...(again !== undefined && { again }),
  };
  return visibleJson(writeJson({ error: described }));
}
