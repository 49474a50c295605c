import { RelayctlError } from "../../errors.ts";
import type { ReferredValues } from "../compare/request-body.ts";

/** A text of so many characters is replaced wherever it stands; a shorter one only as a whole word. */
const SEARCHED = 8;

/** Returns an error with references in place of the values that a plan does not contain, which a service may quote. */
export function withoutValues(error: RelayctlError, referred: ReferredValues): RelayctlError {
  const known = [...referred.values()].map(({ reference, value }) => ({ reference, text: String(value) }));
  if (known.length === 0) return error;
  known.sort((one, other) => other.text.length - one.text.length);
  const shown = (text: string) =>
    known.reduce((rest, each) => rest.replace(patternOf(each.text), () => each.reference), text);
  const { failure, message, because, details, next, hint, applied, retryable, http, subject } = error;
  return new RelayctlError(failure, shown(message), {
    because: because.map(shown),
    details: details.map((each) => ({
      ...each,
      ...(each.given !== undefined && { given: shown(each.given) }),
      rule: shown(each.rule),
    })),
    ...{ next, applied, retryable },
    ...(hint !== undefined && { hint }),
    ...(http && { http }),
    ...(subject && { subject }),
  });
}

function patternOf(text: string): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(text.length >= SEARCHED ? literal : `(?<!\\w)${literal}(?!\\w)`, "g");
}
