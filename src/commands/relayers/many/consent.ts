import { refuseSetUnasked } from "../../../command-support/bulk/consent.ts";
import type { ConsentQuestion } from "../../../command-support/consent/consent.ts";
import { questionIn } from "../../../command-support/consent/write-consent.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { effectOf } from "../../../contract/effect.ts";
import { operations } from "../../../contract/operations.ts";
import { capIn, capLeaps, leapText } from "../../../contract/policy/cap-change.ts";
import type { Call } from "../../command.ts";
import { changeLines } from "../change/change-text.ts";
import { changesOf } from "../change/changes.ts";
import { verbOf } from "../change/send-update.ts";
import { byKind, kindNames, kindsLine } from "./kinds.ts";
import type { Target } from "./targets.ts";

const ACT = "changing more than one relayer";
/** So many ids are named in a question. */
const MOST_NAMED = 20;

/** Refuses before anything is read what will need more than nobody has given. */
export function refuseManyUnasked(call: Call): void {
  refuseSetUnasked(call, ACT);
}

/**
 * More than one target always asks (promises 5). Where one target would need its ID, several need their number, which
 * nobody types by habit.
 */
export function manyQuestion(session: Session, targets: readonly Target[]): ConsentQuestion {
  const levels = targets.map(({ body }) => effectOf(operations["relayers.update"], body).consent);
  const counted = levels.includes("id") ? { type: countOf(targets) } : "yes";
  const isMixed = kindsLine(targets) !== undefined;
  const kinds = isMixed ? ` of different kinds (${kindNames(targets)})` : "";
  const question = questionIn(session, `${verbFor(targets)} ${countOf(targets)}${kinds}`);
  return { question, act: ACT, sort: session.protected ? { type: session.name } : counted };
}

function verbFor(targets: readonly Target[]): string {
  const [verb = "update", ...others] = new Set(targets.map(({ body }) => verbOf(body)));
  return others.length === 0 ? verb : "update";
}

export function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1 relayer" : `${length} relayers`;
}

/** How it is told. */
export interface ConsentFacts {
  /** For each relayer by itself, old beside new. */
  diff: boolean;
  /** The symbols of coins, by network. */
  symbols: ReadonlyMap<string, string | undefined>;
}

/** What is to be done to which relayers, and what follows: once for each kind of change, with `diff` for each relayer. */
export function manyLines(session: Session, targets: readonly Target[], { diff, symbols }: ConsentFacts): string[] {
  const groups = diff ? targets.map((target) => [target]) : alike(targets, symbols);
  const words = new Set(targets.flatMap(({ body }) => effectOf(operations["relayers.update"], body).words));
  const kinds = kindsLine(targets);
  return [
    `${verbFor(targets)} ${countOf(targets)} in ${session.name}`,
    ...(kinds === undefined ? [] : [kinds]),
    ...groups.flatMap((group) => [
      ...namedLines(group, kinds !== undefined),
      ...linesOf(group[0], { diff, symbols }).map((line) => `  ${line}`),
    ]),
    ...capLines(targets),
    ...words,
  ];
}

/** The relayers whose gas price cap changes a thousandfold, each beside its own; nothing where there is none. */
export function capLines(targets: readonly Target[]): string[] {
  const leaps = targets.flatMap(({ id, body, before }) => {
    const [was, now] = [capIn(before), capIn(body)];
    return was !== undefined && now !== undefined && capLeaps(was, now) ? [`  ${id}: ${leapText(was, now)}`] : [];
  });
  if (leaps.length === 0) return [];
  const more = leaps.length - MOST_NAMED;
  const head = `gas_price_cap changes a thousandfold or more on ${leaps.length} of ${countOf(targets)}`;
  return [head, ...leaps.slice(0, MOST_NAMED), ...(more > 0 ? [`  and ${more} more`] : [])];
}

function linesOf(target: Target | undefined, { diff, symbols }: ConsentFacts): string[] {
  if (!target) return [];
  const { body, before } = target;
  const known = diff && before !== undefined;
  const changes = changesOf(body, known ? before : undefined);
  if (changes.length === 0) return ["  already set"];
  return changeLines(changes, { relayer: before ?? {}, symbol: symbols.get(before?.network ?? ""), known });
}

/** Targets that get the same, in the same coin. */
export function alike<T extends Target>(targets: readonly T[], symbols: ConsentFacts["symbols"]): T[][] {
  const bodies = [...new Set(targets.map(({ body }) => body))];
  const groups = new Map<string, T[]>();
  for (const target of targets) {
    const { body, before } = target;
    const key = `${bodies.indexOf(body)} ${symbols.get(before?.network ?? "") ?? ""}`;
    const group = groups.get(key);
    if (group) group.push(target);
    else groups.set(key, [target]);
  }
  return [...groups.values()];
}

/** @param isMixed whether the targets of all groups are of several kinds: then each kind has its line */
function namedLines(group: readonly Target[], isMixed: boolean): string[] {
  if (!isMixed) return [`  ${named(group)}`];
  return byKind(group).map(({ kind, targets }) => `  ${kind || "unknown kind"}: ${named(targets)}`);
}

function named(targets: readonly Target[]): string {
  const ids = targets.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = targets.length - ids.length;
  return ids.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
