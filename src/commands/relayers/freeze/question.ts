import type { ConsentQuestion } from "../../../command-support/consent/consent.ts";
import { questionIn } from "../../../command-support/consent/write-consent.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { grouped } from "../../../contract/decimal.ts";
import { effectTexts } from "../../../contract/effect/texts.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import { isUnsigned } from "../../../contract/transaction/transaction-state.ts";
import type { Symbols } from "../many/coins.ts";
import { countOf, typedCountOf } from "../many/consent.ts";
import type { FreezeTarget } from "./plan.ts";
import { countText, openLines, paymentSums, STAYS_CANCELED } from "./words.ts";

/** The act for an error without a terminal. */
const ACT = "freezing relayers";
/** The maximum number of IDs in a question. */
const MOST_NAMED = 20;

/**
 * Returns the one question of a freeze. Several relayers require their number, which is not typed by habit: their
 * canceled payments cannot be restored.
 */
export function freezeQuestion(session: Session, targets: readonly FreezeTarget[]): ConsentQuestion {
  const counted = targets.length > 1 ? { type: typedCountOf(targets) } : "yes";
  return {
    question: questionIn(session, `freeze ${countOf(targets)}`),
    act: ACT,
    sort: session.protected ? { type: session.name } : counted,
  };
}

/** Returns what a freeze would do: the cancellations with their payments, the pauses, and what can still be mined. */
export function freezeLines(session: Session, targets: readonly FreezeTarget[], symbols: Symbols): string[] {
  const [paused, others] = divide(targets, ({ before }) => before?.paused === true);
  const [disabled, active] = divide(others, ({ before }) => before?.system_disabled === true);
  const unread = targets.filter(({ unread }) => unread !== undefined);
  const kept = targets.flatMap(({ id, before, others }) =>
    others.map(({ transaction, obstacle }) => ({ relayer: before, relayerId: id, transaction, because: obstacle })),
  );
  return [
    `freeze ${countOf(targets)} in ${session.name}`,
    ...cancelLines(targets, symbols),
    ...named("pause", active),
    ...named("already paused", paused),
    ...named("disabled, so that the service may refuse the pause", disabled),
    ...named("transactions unknown, and not canceled", unread),
    ...(kept.length === 0 ? [] : [`  not canceled: ${countText(kept.length, "transaction")} that can still be mined`]),
    ...openLines(kept, symbols).map((line) => `  ${line}`),
    `paused: ${effectTexts.whilePaused}`,
    ...(targets.some(({ cancels }) => cancels.length > 0) ? [STAYS_CANCELED] : []),
  ];
}

function cancelLines(targets: readonly FreezeTarget[], symbols: Symbols): string[] {
  const cancels = targets.flatMap((target) => target.cancels);
  if (cancels.length === 0) return ["  cancel: no transactions"];
  const unsigned = targets.flatMap((target) =>
    target.cancels.filter((each) => isUnsigned(each, networkKind(target.before))),
  );
  const atOnce = unsigned.length;
  const requested = cancels.length - atOnce;
  const payments = paymentSums(targets, symbols);
  return [
    `  cancel: ${countText(cancels.length, "transaction")} of ${countOf(targets.filter((each) => each.cancels.length > 0))}`,
    ...(payments.length === 0 ? [] : [`  payments among them: ${payments.join(", ")}`]),
    ...(atOnce === 0 ? [] : [`    ${atOnce} not signed yet: canceled at once, unless the service signs it first`]),
    ...(requested === 0 ? [] : [`    ${requested} signed: ${effectTexts.onlyRequested}; ${effectTexts.mayBeMined}`]),
  ];
}

function named(label: string, targets: readonly FreezeTarget[]): string[] {
  if (targets.length === 0) return [];
  const ids = targets.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = targets.length - ids.length;
  return [`  ${label}: ${countOf(targets)}: ${ids.join(", ")}${more > 0 ? `, and ${grouped(more)} more` : ""}`];
}

function divide<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}
