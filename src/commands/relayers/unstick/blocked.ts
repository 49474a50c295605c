import { type Failure, RelayctlError } from "../../../errors.ts";
import { type StepPlace, stepCommand, stepText } from "../../../relayer-state/step-words.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Diagnosed } from "./read-diagnosis.ts";

/** Returns the error for a head that no allowed step helps. @param wrote whether a write of the command was applied */
export function blocked(found: Diagnosed, place: StepPlace, wrote: boolean): RelayctlError {
  const { diagnosis, fault } = found;
  const failing = diagnosis.findings.filter(({ severity }) => severity === "fail");
  const [cause, ...others] = failing.length > 0 ? failing : diagnosis.findings;
  const nonce = diagnosis.head?.nonce;
  const commands = diagnosis.steps.map((step) => stepCommand(step, place));
  const ways = diagnosis.steps.map((step, index) => {
    const command = commands[index];
    return `${stepText(step, diagnosis, place)}${command === undefined ? "" : `: ${command}`}`;
  });
  const words = cause?.message ?? "what holds up the transactions is not known";
  return new RelayctlError(wrote ? "unmet" : "conflict", nonce === undefined ? words : `nonce ${nonce}: ${words}`, {
    applied: wrote ? "yes" : "no",
    because: [
      ...others.map(({ message }) => message),
      ...(fault ? [fault.words] : []),
      ...ways,
      ...(wrote ? [] : ["nothing was sent"]),
    ],
    hint:
      commands.find((command) => command !== undefined) ??
      commandLine(...place.flags, "relayers", "unstick", place.relayerId, "--dry-run"),
    retryable: false,
  });
}

/** What a command may end with after a write of it was applied. */
const ENDS: readonly Failure[] = ["unmet", "mismatch", "partial", "pending", "unknown", "interrupted", "io"];
/** What another run can do better. */
const PASSING: readonly Failure[] = ["network", "server", "rate_limited", "auth"];

/** Returns the error of a later step or read, after a write of the command was applied: no code may say otherwise. */
export function afterWrite(error: unknown): unknown {
  if (!(error instanceof RelayctlError)) return error;
  const { failure, message, because, hint } = error;
  if (ENDS.includes(failure)) return error.applied === "no" ? copy(error, failure) : error;
  return copy(
    new RelayctlError(failure, `an earlier step was applied, but the next one was not: ${message}`, {
      because,
      ...(hint !== undefined && { hint }),
      details: [{ where: failure, rule: message }],
      cause: error,
    }),
    PASSING.includes(failure) ? "pending" : "unmet",
  );
}

function copy({ message, because, hint, details, cause }: RelayctlError, failure: Failure): RelayctlError {
  return new RelayctlError(failure, message, {
    applied: "yes",
    because,
    details,
    retryable: false,
    ...(hint !== undefined && { hint }),
    cause,
  });
}
