import { failureOfMany } from "../../command-support/bulk/failure.ts";
import { type Failure, problemText, type RelayctlError } from "../../errors.ts";

/** How a command ended in one of several contexts. */
export interface EndInContext {
  name: string;
  /** False if an interrupt came first. */
  isStarted: boolean;
  error?: RelayctlError | undefined;
  /** Set for a write that changed nothing. */
  already?: true;
}

/** Failures of a command that did all of its work: a check that fails in one context hides nothing of another. */
const CHECKS: readonly Failure[] = ["unmet", "mismatch", "pending"];

/** Returns the failure of a command in several contexts, each with its context; undefined if there is none. */
export function failureOfContexts(
  ends: readonly EndInContext[],
  interrupt: AbortSignal,
  writes: boolean,
): RelayctlError | undefined {
  const completed = ends.map(({ name, isStarted, error, already }) => ({
    id: name,
    ...(error && { error: withItsDetails(error) }),
    ...(isStarted && !error && { value: true }),
    ...(already && { already }),
  }));
  const failure = failureOfMany(completed, "contexts", interrupt, { writes });
  const [word, ...others] = new Set(ends.flatMap(({ error }) => error?.failure ?? []));
  const isCheck = word !== undefined && others.length === 0 && CHECKS.includes(word);
  return failure && isCheck && !interrupt.aborted ? failure.with({ failure: word }) : failure;
}

/** An error in a list of errors is one line. */
function withItsDetails(error: RelayctlError): RelayctlError {
  if (error.because.length > 0) return error;
  return error.with({ because: error.summary ?? error.details.map(problemText) });
}
