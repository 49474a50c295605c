import type { RelayctlError } from "../../errors.ts";
import type { ApplyStep, StepEnd } from "./apply-step.ts";

export type StepOutcome =
  | { kind: "applied" | "already"; end: StepEnd }
  | { kind: "failed"; error: RelayctlError }
  /** Not sent, since the service refuses changes of the relayer until it enables it again (facts 4.5). */
  | { kind: "disabled" }
  /** Not sent, since a required change did not succeed. */
  | { kind: "skipped"; because: string }
  | { kind: "not started" };

export interface EndedStep {
  step: ApplyStep;
  outcome: StepOutcome;
}

export function applyOutcomeWord({ outcome }: EndedStep): string {
  if (outcome.kind !== "failed") return outcome.kind.replace(" ", "_");
  const { failure, applied } = outcome.error;
  if (applied === "unknown") return "unknown";
  return failure === "mismatch" ? "mismatch" : "failed";
}

export function applyOutcomeReason(outcome: StepOutcome): string | undefined {
  switch (outcome.kind) {
    case "applied":
    case "already":
      return outcome.end.notes.join("; ") || undefined;
    case "failed":
      return [outcome.error.message, ...outcome.error.because].join("; ");
    case "disabled":
      return "the service has disabled the relayer, and refuses changes until it enables it again";
    case "skipped":
      return outcome.because;
    case "not started":
      return "nothing was sent";
  }
}
