import { bulkProblemsByReason, commonBulkFailure } from "../../client/bulk/run-all.ts";
import { firstNames, groupDigits, pluralize } from "../../contract/decimal.ts";
import { appliedTogether, type Failure, type Problem, RelayctlError } from "../../errors.ts";
import { existenceKey } from "../compare/existence.ts";
import type { ImpossibleChange } from "../plan.ts";
import { applyOutcomeReason, applyOutcomeWord, type EndedStep, type StepOutcome } from "./outcome.ts";

export interface EndOfSteps {
  ended: readonly EndedStep[];
  cannot: readonly ImpossibleChange[];
  interrupt: AbortSignal;
  again(errors: readonly RelayctlError[]): string;
}

/**
 * Returns the error of an apply with every step that didn't go as planned; undefined without any.
 */
export function applyFailure({ ended, cannot, interrupt, again }: EndOfSteps): RelayctlError | undefined {
  const missed = ended.filter(({ outcome }) => outcome.kind !== "applied" && outcome.kind !== "already");
  const details = [
    ...missed.map((each) => ({
      where: each.step.key,
      given: applyOutcomeWord(each),
      rule: applyOutcomeReason(each.outcome) ?? "",
    })),
    ...cannot.map((impossible) => ({
      where: existenceKey(impossible.noun, impossible.id),
      given: "cannot",
      rule: impossible.path === "" ? impossible.reason : `${impossible.path}: ${impossible.reason}`,
    })),
  ];
  if (details.length === 0) return undefined;
  const errors = missed.flatMap(({ outcome }) => outcomeError(outcome) ?? []);
  const open = errors.find(({ applied }) => applied !== "no");
  // Another run can't fix what is impossible.
  const hint = open?.hint ?? (missed.length > 0 ? again(errors) : undefined);
  return new RelayctlError(failureFor(ended, errors, interrupt), failureText(ended, cannot, interrupt), {
    isInterrupted: interrupt.aborted,
    applied: appliedTogether(
      ended.map(({ outcome }) => (outcome.kind === "applied" ? "yes" : (outcomeError(outcome)?.applied ?? "no"))),
    ),
    details,
    ...(details.length > 1 && { summary: summarizeProblems(details) }),
    because: details.length === 1 && details[0] ? [`${details[0].where}: ${details[0].rule}`] : [],
    ...(hint !== undefined && { hint, continues: interrupt.aborted && open?.hint === undefined }),
    cause: open ?? errors[0],
    retryable: cannot.length === 0 && errors.every(({ retryable }) => retryable),
  });
}

function failureFor(ended: readonly EndedStep[], errors: readonly RelayctlError[], { aborted }: AbortSignal): Failure {
  if (aborted) return "interrupted";
  if (ended.some(({ outcome }) => outcome.kind === "applied")) return "partial";
  return errors.length === 0 ? "conflict" : commonBulkFailure(errors);
}

/** Returns `27 of 30 changes applied, 1 failed, 2 skipped`. */
function failureText(ended: readonly EndedStep[], cannot: readonly ImpossibleChange[], { aborted }: AbortSignal) {
  const counts = new Map<string, number>();
  for (const each of ended) counts.set(applyOutcomeWord(each), (counts.get(applyOutcomeWord(each)) ?? 0) + 1);
  const parts = WORDS.flatMap(([word, text]) => {
    const count = counts.get(word) ?? 0;
    return count === 0 ? [] : [`${groupDigits(count)} ${text}`];
  });
  const impossible = new Set(cannot.map(({ noun, id }) => existenceKey(noun, id))).size;
  const all = [...parts, ...(impossible === 0 ? [] : [`${groupDigits(impossible)} cannot be changed`])].join(", ");
  const total = ended.length + impossible;
  const reached = `${groupDigits(counts.get("applied") ?? 0)} of ${pluralize(total, "change")} applied`;
  return `${aborted ? "interrupted: " : ""}${reached}, ${all}`;
}

const WORDS: readonly (readonly [word: string, text: string])[] = [
  ["already", "already as planned"],
  ["failed", "failed"],
  ["unknown", "unknown"],
  ["mismatch", "applied otherwise"],
  ["skipped", "skipped"],
  ["disabled", "skipped (disabled)"],
  ["not_started", "not started"],
];

function summarizeProblems(details: readonly Problem[]): string[] {
  const unsent = details.filter(({ given }) => given === "not_started").map(({ where }) => where);
  const others = details.filter(({ given }) => given !== "not_started");
  return [...bulkProblemsByReason(others), ...(unsent.length === 0 ? [] : [`not started: ${firstNames(unsent)}`])];
}

/** A disabled relayer is a conflict, as if the service had refused the change. */
function outcomeError(outcome: StepOutcome): RelayctlError | undefined {
  if (outcome.kind === "failed") return outcome.error;
  return outcome.kind === "disabled" ? new RelayctlError("conflict", "disabled", { retryable: true }) : undefined;
}
