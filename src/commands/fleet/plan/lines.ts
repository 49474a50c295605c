import { groupDigits } from "../../../contract/decimal.ts";
import { groupBy } from "../../../contract/group-by.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../../contract/json.ts";
import { MASK } from "../../../contract/rpc-url.ts";
import { hiddenIn, hiddenOrigin } from "../../../fleet/hidden.ts";
import {
  type ImpossibleChange,
  type NotCompared,
  type OutsideApi,
  type Plan,
  type PlannedChange,
  type PlannedMember,
  type PlannedResource,
  planByResource,
  planHasDifferences,
  plannedName,
} from "../../../fleet/plan.ts";
import type { Row } from "../../../message.ts";
import { escapeText } from "../../../terminal/escape.ts";
import { type Cell, SIGNS, type TextLine, type Tone } from "../../../terminal/view.ts";
import { alignWidths } from "../../../terminal/width.ts";
import { type ChangeContext, relayerChangeText } from "../../relayers/change/change-text.ts";

/** Up to this many values that were not compared are listed. */
export const FEW = 5;
const HIDDEN = "not compared";

/** @param all whether values that were not compared are listed however many there are */
function restLines(plan: Plan, all: boolean): Cell[] {
  const { not_compared, outside, unmanaged } = plan;
  const block = (title: string, lines: readonly string[], count: number): Cell[] => {
    const isShort = !all && count > FEW;
    // The last line has the number of equal values.
    if (count === 0 || (title === HIDDEN && isShort && !planHasDifferences(plan))) return [];
    const head = isShort ? `${title}: ${groupDigits(count)} (-v lists them)` : title;
    return [{ text: head }, ...(isShort ? [] : lines).map((text) => ({ text: `    ${text}`, tone: "faint" as const }))];
  };
  return [
    ...block(HIDDEN, partTexts(not_compared), not_compared.length),
    ...block("outside of the API", partTexts(outside), outside.length),
    ...block("not in the files", unmanaged.map(plannedName), unmanaged.length),
  ];
}

/** Returns `notification ops-hook signing_key: the service does not return it`, one line for each resource and reason. */
function partTexts(parts: readonly (NotCompared | OutsideApi)[]): string[] {
  return planByResource(parts).flatMap((members) => {
    return [...groupBy(members, ({ reason }) => reason)].map(([reason, same]) => {
      const paths = same.flatMap(({ path }) => path || []).join(", ");
      return `${[plannedName(members[0]), paths].filter(Boolean).join(" ")}: ${reason}`;
    });
  });
}

export interface PlanUnits {
  relayers: ReadonlyMap<string, JsonObject>;
  symbols: ReadonlyMap<string, string | undefined>;
}

const SIGN: Readonly<Record<PlannedChange["action"], readonly [sign: string, tone: Tone | undefined]>> = {
  create: ["+", "good"],
  update: ["~", "warn"],
  delete: ["-", "bad"],
};

/** @param all whether every value that was not compared is listed */
export function planLines(plan: Plan, units: PlanUnits, all: boolean): TextLine[] {
  const changes = plan.changes.flatMap((change) => changeLines(change, units));
  const cannot = planByResource(plan.cannot).flatMap((each) => impossibleLines(each, units));
  const rest = restLines(plan, all);
  const gap = planHasDifferences(plan) && rest.length > 0 ? [{ text: "" }] : [];
  return [...changes, ...cannot, ...gap, ...rest];
}

function changeLines(change: PlannedChange, units: PlanUnits): TextLine[] {
  const [sign, tone] = SIGN[change.action];
  const head = `${sign} ${plannedName(change)}`;
  const context = planChangeContext(change, units, change.body);
  return [
    { text: head, tone },
    ...planTable(change.members.flatMap((member) => memberRows(member, change.action === "create", context))),
    ...planNoteTexts(change).map((text) => ({ text: INDENT + text })),
  ];
}

export function planNoteTexts({ effects, disabled }: PlannedChange): string[] {
  return [
    ...effects,
    ...(disabled ? ["the service disabled this relayer, and refuses changes until it enables it again"] : []),
  ];
}

function impossibleLines(members: readonly [ImpossibleChange, ...ImpossibleChange[]], units: PlanUnits): TextLine[] {
  const [first] = members;
  const context = planChangeContext(first, units, {});
  const reasons = new Set(members.map(({ reason }) => reason));
  const places = new Set(members.flatMap(({ at }) => at ?? []));
  return [
    { text: `${SIGNS.bad} ${plannedName(first)}`, tone: "bad" },
    ...planTable(members.filter(concernsMember).flatMap((member) => memberRows(member, false, context))),
    ...[...reasons].map((text) => ({ text: INDENT + text })),
    ...[...places].map((text) => ({ text: `${INDENT}${text}`, tone: "faint" as const })),
  ];
}

/** Returns whether a difference is about a member, not about the whole resource. */
export function concernsMember({ path }: Pick<ImpossibleChange, "path">): boolean {
  return path !== "";
}

const INDENT = "    ";

function memberRows({ path, before, after }: PlannedMember, isNew: boolean, context: ChangeContext): string[][] {
  const text = relayerChangeText({ path, requested: maskHiddenUrls(after), was: before }, context);
  return [[text.label, isNew ? text.after : text.change], ...text.entries.map((entry) => ["", entry])];
}

export function maskHiddenUrls(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value;
  return value.map((entry) => {
    const hidden = isJsonObject(entry) ? hiddenIn(entry.url) : undefined;
    return hidden === undefined ? entry : { ...(entry as JsonObject), url: `${hiddenOrigin(hidden) ?? ""}/${MASK}` };
  });
}

function planTable(rows: readonly (readonly string[])[]): Row[] {
  const shown = rows.map((row) => row.map(escapeText));
  return alignWidths(shown, INDENT);
}

export function planChangeContext(
  { noun, id }: PlannedResource,
  { relayers, symbols }: PlanUnits,
  body: JsonObject,
): ChangeContext {
  const known = noun === "relayers" ? (relayers.get(id) ?? body) : {};
  const { network_type, network } = objectIn(known);
  const symbol = typeof network === "string" ? symbols.get(network) : undefined;
  return { relayer: { network_type: network_type ?? null } as ChangeContext["relayer"], symbol, known: true };
}
