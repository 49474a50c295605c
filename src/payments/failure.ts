import { bulkProblemsByReason } from "../client/bulk/run-all.ts";
import { groupDigits, pluralize } from "../contract/decimal.ts";
import { type Applied, type Failure, MAYBE_APPLIED, type Problem, RelayctlError } from "../errors.ts";
import type { RowOutcome } from "./outcome.ts";
import type { Ended, Paid, Running, Spelling, StopReason } from "./run/running.ts";

/**
 * Returns the error of a run with payments in the wrong state; undefined if there are none. Payments that may or may not
 * have been sent matter most, then those that the record and the chain show differently, then those that were not sent or
 * failed, then those still in progress. If nothing was ever sent, the reason for that decides.
 */
export function paymentRunFailure(running: Running, paid: Paid, ended: Ended): RelayctlError | undefined {
  const { world, plan, resumeLine } = running;
  const { outcomes, ends, cutOff } = ended;
  const { stop } = paid;
  const missed = outcomes.filter(({ row, state }) => isMissed(state, plan.wait !== undefined, ends.get(row)));
  if (missed.length === 0 && stop === undefined && cutOff === undefined) return undefined;
  const failure = failureFor(running, ended, stop, missed);
  const unsent = missed.filter(({ state }) => state === "waiting" || state === "refused").length;
  const isOpen = unsent > 0 || missed.some(({ state }) => state === "unknown" || state === "sent");
  const { details, summary } = shownDetails(missed, ended);
  return new RelayctlError(failure, failureText(missed, ended, world.interrupt.aborted), {
    isInterrupted: world.interrupt.aborted,
    applied: appliedToRows(outcomes),
    details,
    summary,
    because: [
      ...stopLines(stop, plan.pace.stopAfter),
      ...(cutOff ? [cutOffLine(cutOff)] : []),
      ...(paid.isLost ? [lostLine(world.spelling)] : []),
      ...(missed.some(({ state }) => state === "unknown") ? unknownLines(world.spelling) : []),
    ],
    ...(isOpen && !paid.isLost && { hint: resumeLine, continues: true }),
    retryable: false,
    ...(stop?.stopped === "error" && { cause: stop.error }),
  });
}

function lostLine({ resume }: Spelling): string {
  return `the journal does not have this run any more, and ${resume} would pay all rows again: restore its folder first, or put the rows that were not started into another file`;
}

function unknownLines({ resume, assumeNotSent, whenUnknown }: Spelling): readonly string[] {
  if (whenUnknown) return whenUnknown;
  return [
    "an unknown row may be sent, or may still arrive: it is looked for each time the run is resumed, and never sent again by itself",
    `once you know that a row was not sent, send it again with ${resume} ${assumeNotSent} ROW`,
  ];
}

function isMissed(state: RowOutcome["state"], waits: boolean, end: string | undefined): boolean {
  if (state === "confirmed") return false;
  return state !== "sent" || (waits && end !== "reached");
}

function failureFor(
  { world }: Running,
  { outcomes, ends, cutOff }: Ended,
  stop: StopReason | undefined,
  missed: readonly RowOutcome[],
): Failure {
  if (world.interrupt.aborted) return "interrupted";
  if (missed.some(({ state }) => state === "unknown")) return "unknown";
  if ([...ends.values()].includes("mismatch")) return "mismatch";
  if (appliedToRows(outcomes) === "no" && stop?.stopped === "error") return stop.error.failure;
  if (stop?.stopped === "error" && stop.error.failure === "io") return "io";
  const isOnlyPending = missed.every(({ state }) => state === "sent");
  return isOnlyPending || (missed.length === 0 && cutOff) ? "pending" : "partial";
}

/** Returns what all rows have in common: codes 2 to 10 promise that nothing was applied. */
function appliedToRows(outcomes: readonly RowOutcome[]): Applied {
  if (outcomes.some(({ state }) => state === "unknown")) return "unknown";
  return outcomes.every(({ state }) => state === "waiting" || state === "refused") ? "no" : "yes";
}

/** Returns the number of accepted rows whose record is wrong or gone. */
export function countUnclearPayments({ outcomes, ends }: Pick<Ended, "outcomes" | "ends">): number {
  return outcomes.filter((outcome) => isUnclear(outcome, ends)).length;
}

function isUnclear({ row, state }: RowOutcome, ends: Ended["ends"]): boolean {
  return state === "sent" && ["gone", "mismatch"].includes(ends.get(row) ?? "");
}

const WORDS: readonly [RowOutcome["state"], string][] = [
  ["unknown", "unknown"],
  ["refused", "refused"],
  ["waiting", "not started"],
  ["failed", "failed"],
  ["canceled", "canceled"],
  ["sent", "in progress"],
];

export const TO_CHECK = "to check";

function failureText(missed: readonly RowOutcome[], ended: Ended, isInterrupted: boolean): string {
  const { outcomes } = ended;
  const unclear = countUnclearPayments(ended);
  const accepted = outcomes.filter(({ state }) => !["waiting", "refused", "unknown"].includes(state)).length;
  const parts = WORDS.flatMap(([state, words]) => {
    const count = missed.filter((outcome) => outcome.state === state).length - (state === "sent" ? unclear : 0);
    return count <= 0 ? [] : [`${groupDigits(count)} ${words}`];
  });
  const more = unclear > 0 ? [`${groupDigits(unclear)} ${TO_CHECK}`] : [];
  const text = [
    `${groupDigits(accepted)} of ${pluralize(outcomes.length, "payment")} accepted`,
    ...parts,
    ...more,
  ].join(", ");
  return isInterrupted ? `interrupted: ${text}` : text;
}

function stopLines(stop: StopReason | undefined, stopAfter: number): string[] {
  switch (stop?.stopped) {
    case "failures":
      return [`no further payment was started after ${pluralize(stopAfter, "failure")}`];
    case "deadline":
      return ["no further payment was started: the deadline of the command has passed"];
    case "error":
      return [`no further payment was started: ${stop.error.message}`, ...stop.error.because];
    default:
      return [];
  }
}

/** The message of an interrupted read says that nothing was changed, which is wrong after payments. */
function cutOffLine({ failure, message }: RelayctlError): string {
  return failure === "interrupted" ? "the wait was interrupted" : `the wait was cut off: ${message}`;
}

/** The most rows for a user, and for scripts. */
const [MOST_SHOWN, MOST_KEPT] = [20, 10_000];

function shownDetails(missed: readonly RowOutcome[], { ends, nameOf = (row: number) => `row ${row}` }: Ended) {
  const explained = missed.filter(
    (each) => isUnclear(each, ends) || (each.state !== "waiting" && each.state !== "sent"),
  );
  const details = explained.slice(0, MOST_KEPT).map(({ row, state, why, verdict }): Problem => {
    const rule = why ?? verdict?.replaceAll("_", " ") ?? "no response was recorded";
    return { where: nameOf(row), given: state === "sent" ? (ends.get(row) ?? state) : state, rule };
  });
  const lines = bulkProblemsByReason(details.map(withoutState), ({ given }) => given ?? "failed");
  const more = lines.length - MOST_SHOWN;
  return {
    details,
    summary: [...lines.slice(0, MOST_SHOWN), ...(more > 0 ? [`and ${pluralize(more, "more reason")}`] : [])],
  };
}

/** Returns a problem without `unknown` at the start of its line, which would appear twice. */
function withoutState(problem: Problem): Problem {
  const { given, rule } = problem;
  const isRepeated = given === "unknown" && rule.startsWith(MAYBE_APPLIED);
  return isRepeated ? { ...problem, rule: rule.slice(MAYBE_APPLIED.length) } : problem;
}
