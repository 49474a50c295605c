import { effectOf } from "../../../contract/effect.ts";
import { operations } from "../../../contract/operations.ts";
import { refuseSetUnasked } from "../../../flow/bulk/consent.ts";
import type { ConsentQuestion } from "../../../flow/consent.ts";
import type { Session } from "../../../flow/session.ts";
import type { Call } from "../../command.ts";
import { changeLines } from "../change-text.ts";
import { changesOf } from "../changes.ts";
import type { Target } from "./targets.ts";

const ACT = "changing more than one relayer";
/** So many ids are named in a question. */
const MOST_NAMED = 20;

/** Refuses before anything is read what will need more than nobody has given. */
export function refuseManyUnasked(call: Call): void {
  refuseSetUnasked(call, ACT);
}

/**
 * More than one target always asks (design 5). What would ask for the id of one asks here for how many there are, which
 * nobody types by habit.
 */
export function manyQuestion(session: Session, targets: readonly Target[]): ConsentQuestion {
  const levels = targets.map(({ body }) => effectOf(operations["relayers.update"], body).consent);
  const counted = levels.includes("id") ? { type: countOf(targets) } : "yes";
  return { question: "Send it?", act: ACT, sort: session.protected ? { type: session.name } : counted };
}

export function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1 relayer" : `${length} relayers`;
}

/** What is to be done to which relayers, and what follows: once for each kind of change, with `diff` for each relayer. */
export function manyLines(session: Session, targets: readonly Target[], diff: boolean): string[] {
  const groups = diff ? targets.map((target) => [target]) : byBody(targets);
  const words = new Set(targets.flatMap(({ body }) => effectOf(operations["relayers.update"], body).words));
  return [
    `update ${countOf(targets)} in ${session.name}`,
    ...groups.flatMap((group) => [`  ${named(group)}`, ...linesOf(group[0], diff).map((line) => `  ${line}`)]),
    ...words,
  ];
}

function linesOf(target: Target | undefined, diff: boolean): string[] {
  if (!target) return [];
  const { body, before } = target;
  const known = diff && before !== undefined;
  const changes = changesOf(body, known ? before : undefined);
  return changes.length === 0 ? ["  as asked already"] : changeLines(changes, before ?? {}, known);
}

function byBody(targets: readonly Target[]): Target[][] {
  const groups = new Map<object, Target[]>();
  for (const target of targets) {
    const group = groups.get(target.body);
    if (group) group.push(target);
    else groups.set(target.body, [target]);
  }
  return [...groups.values()];
}

function named(targets: readonly Target[]): string {
  const ids = targets.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = targets.length - ids.length;
  return ids.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
