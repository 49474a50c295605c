import type { SetConsent } from "../../../command-support/bulk/writes.ts";
import { requireConsentForSet } from "../../../command-support/consent/consent.ts";
import { firstLines, firstNames, groupDigits } from "../../../contract/decimal.ts";
import { type Effect, effectOf } from "../../../contract/effect.ts";
import { groupBy } from "../../../contract/group-by.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { NETWORK_KINDS } from "../../../contract/network-kind.ts";
import { operations } from "../../../contract/operations.ts";
import { capIn, capLeaps, leapText } from "../../../contract/policy/cap-change.ts";
import type { Message } from "../../../message.ts";
import type { Session } from "../../../session/session.ts";
import type { Call } from "../../command.ts";
import { changesOf, changeTextLines, changeVerb, changeVerbs } from "../change/change-text.ts";
import type { Target } from "./targets.ts";

const MOST_NAMED = 20;

/** @param bodies undefined if they are not known yet */
export function requireConsentForMany(call: Call, session: Session, bodies: readonly JsonObject[] | undefined): void {
  const isCounted = bodies?.some((body) => effectOf(operations["relayers.update"], body).consent === "id") ?? true;
  if (session.protected || !isCounted) requireConsentForSet(call, session, actOnMany(bodies ?? []));
}

/** Several targets always require consent (promises 5); if one would require its ID, they require their number. */
export function manyConsent(targets: readonly Target[]): SetConsent {
  const levels = effectsOn(targets).map(({ consent }) => consent);
  const counted = levels.includes("id") ? { type: typedManyCount(targets) } : "yes";
  const isMixed = manyKindsLine(targets) !== undefined;
  const kinds = isMixed ? ` of different kinds (${kindNames(targets)})` : "";
  return {
    title: `${manyVerb(targets)} ${manyCount(targets)}${kinds}`,
    act: actOnMany(bodiesOf(targets)),
    sort: counted,
  };
}

export function manyVerb(targets: readonly Target[]): ReturnType<typeof changeVerb> {
  return commonVerb(bodiesOf(targets));
}

/** Returns the verb of a change: `update` if it differs between targets. */
function commonVerb(bodies: readonly JsonObject[]): ReturnType<typeof changeVerb> {
  const [verb = "update", ...others] = new Set(bodies.map(changeVerb));
  return others.length === 0 ? verb : "update";
}

function actOnMany(bodies: readonly JsonObject[]): string {
  return changeVerbs[commonVerb(bodies)].act.replace("a relayer", "several relayers");
}

function effectsOn(targets: readonly Target[]): Effect[] {
  return bodiesOf(targets).map((body) => effectOf(operations["relayers.update"], body));
}

/** Returns each body once: relayers of a kind share it. */
function bodiesOf(targets: readonly Target[]): JsonObject[] {
  return [...new Set(targets.map(({ body }) => body))];
}

export function manyCount({ length }: readonly unknown[]): string {
  return length === 1 ? "1 relayer" : `${groupDigits(length)} relayers`;
}

export function typedManyCount(targets: readonly unknown[]): string {
  return manyCount(targets).replaceAll(",", "");
}

export interface ConsentFacts {
  /** Whether to show each relayer with old and new values. */
  diff: boolean;
  symbols: ReadonlyMap<string, string | undefined>;
}

/** Returns the changes, their relayers, and the effects, once per kind of change, or with `diff` per relayer. */
export function manyLines(session: Session, targets: readonly Target[], { diff, symbols }: ConsentFacts): Message[] {
  const groups = diff ? targets.map((target) => [target]) : groupManyTargets(targets, symbols);
  const words = new Set(effectsOn(targets).flatMap((effect) => effect.words));
  const kinds = manyKindsLine(targets);
  return [
    `${manyVerb(targets)} ${manyCount(targets)} in ${session.name}`,
    ...(kinds === undefined ? [] : [kinds]),
    ...groups.flatMap((group) => [...nameLines(group, kinds !== undefined), ...linesFor(group[0], { diff, symbols })]),
    ...manyCapLines(targets),
    ...words,
  ];
}

export function manyCapLines(targets: readonly Target[]): string[] {
  const leaps = targets.flatMap(({ id, body, before }) => {
    const [was, now] = [capIn(before), capIn(body)];
    return was !== undefined && now !== undefined && capLeaps(was, now) ? [`  ${id}: ${leapText(was, now)}`] : [];
  });
  if (leaps.length === 0) return [];
  const head = `gas_price_cap changes a thousandfold or more on ${groupDigits(leaps.length)} of ${manyCount(targets)}`;
  return [head, ...firstLines(leaps, MOST_NAMED, "  ")];
}

function linesFor(target: Target | undefined, { diff, symbols }: ConsentFacts): Message[] {
  if (!target) return [];
  const { body, before, isDoubted } = target;
  const known = diff && before !== undefined;
  const changes = changesOf(body, known ? before : undefined);
  const { done, already } = changeVerbs[changeVerb(body)];
  if (changes.length === 0)
    return [`    ${isDoubted ? "sent again: an earlier change may still arrive or not show yet" : already}`];
  // The prompt's title says it.
  if (done !== undefined && !diff) return [];
  return changeTextLines(changes, { relayer: before ?? {}, symbol: symbols.get(before?.network ?? ""), known }, "    ");
}

export function groupManyTargets<T extends Target>(targets: readonly T[], symbols: ConsentFacts["symbols"]): T[][] {
  const bodies = bodiesOf(targets);
  const keyOf = ({ body, before }: T) => `${bodies.indexOf(body)} ${symbols.get(before?.network ?? "") ?? ""}`;
  return [...groupBy(targets, keyOf).values()];
}

function nameLines(group: readonly Target[], isMixed: boolean): string[] {
  if (!isMixed) return [`  ${nameManyTargets(group)}`];
  return byKind(group).map(({ kind, targets }) => `  ${kind || "unknown kind"}: ${nameManyTargets(targets)}`);
}

export function nameManyTargets(targets: readonly Target[]): string {
  const ids = targets.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = targets.length - ids.length;
  return ids.join(", ") + (more > 0 ? ` and ${groupDigits(more)} more` : "");
}

interface OfKind {
  kind: string;
  targets: readonly Target[];
}

const MOST_NETWORKS = 3;

function byKind(targets: readonly Target[]): OfKind[] {
  const found = groupBy(targets, ({ before }) => before?.network_type ?? "");
  const kinds = new Set<string>([...NETWORK_KINDS, ...found.keys()]);
  return [...kinds].map((kind) => ({ kind, targets: found.get(kind) ?? [] })).filter((each) => each.targets.length > 0);
}

/** Returns a note if a shared network name may hide several kinds: `relayers of 2 kinds: 2 evm (mainnet), …`. */
export function manyKindsLine(targets: readonly Target[]): string | undefined {
  const kinds = byKind(targets).filter(({ kind }) => kind !== "");
  if (kinds.length < 2) return undefined;
  const parts = kinds.map((each) => `${groupDigits(each.targets.length)} ${each.kind} (${networkNames(each)})`);
  return `relayers of ${kinds.length} kinds: ${parts.join(", ")}`;
}

function kindNames(targets: readonly Target[]): string {
  const kinds = byKind(targets).flatMap(({ kind }) => kind || []);
  return kinds.join(" and ");
}

function networkNames({ targets }: OfKind): string {
  const names = [...new Set(targets.map(({ before }) => before?.network ?? "unknown network"))];
  return firstNames(names, MOST_NETWORKS);
}
