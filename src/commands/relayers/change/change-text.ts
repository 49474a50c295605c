import { holdsAlready } from "../../../client/read-back/compare.ts";
import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { asText, isJsonObject, type JsonObject, type JsonValue, objectIn, writeJson } from "../../../contract/json.ts";
import { policyFieldCurrency } from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { maskRpcUrl } from "../../../contract/rpc-url.ts";
import type { Row } from "../../../message.ts";
import { escapeText } from "../../../terminal/escape.ts";
import { toCell } from "../../../terminal/view.ts";
import { alignWidths } from "../../../terminal/width.ts";
import { entryCountText, type Kinded, policyAt, policyFieldDefault } from "../../../views/policy-field.ts";

export interface ChangeContext {
  relayer: Kinded;
  symbol: string | undefined;
  known: boolean;
}

export function relayerChangeText(change: Change, changeContext: ChangeContext) {
  const { path, requested, was = null } = change;
  const { known } = changeContext;
  const before = valueText(path, was, changeContext);
  const after = requested === null ? unsetText(path, changeContext) : valueText(path, requested, changeContext);
  return {
    label: path.replace(/^policies\./, ""),
    before,
    after,
    change: known ? `${before} → ${after}` : `→ ${after}`,
    entries: known ? entryTexts(path, was, requested) : [],
  };
}

export function changeTextLines(changes: readonly Change[], changeContext: ChangeContext, indent?: string): Row[] {
  const rows = changes.flatMap((one) => {
    const { label, change, entries } = relayerChangeText(one, changeContext);
    return [[label, change], ...entries.map((entry) => ["", entry])].map((row) => row.map(escapeText));
  });
  return alignWidths(rows, indent);
}

function unsetText(path: string, changeContext: ChangeContext): string {
  if (path === "custom_rpc_urls") return "the network's own";
  if (path === "policies") return "the service's defaults";
  const field = policyAt(path, changeContext.relayer);
  const byDefault = policyFieldDefault(field);
  if (byDefault !== undefined) return `not set (default: ${valueText(path, byDefault, changeContext)})`;
  // The meaning of an unset list is an effect, printed below the changes.
  return field?.unset === undefined || field.type === "list" ? "not set" : `not set (${field.unset})`;
}

function valueText(path: string, value: JsonValue, { relayer, symbol }: ChangeContext): string {
  if (path === "custom_rpc_urls" && (!Array.isArray(value) || value.length === 0)) return "the network's own";
  if (value === null) return "not set";
  if (Array.isArray(value)) return path === "custom_rpc_urls" ? `${value.length} custom` : entryCountText(value.length);
  const field = policyAt(path, relayer, symbol);
  const amount = field?.type === "amount" ? wireAmount(value) : undefined;
  if (field?.type === "amount" && amount !== undefined) return formatAmount(amount, policyFieldCurrency(field, amount));
  if (field?.type === "flag" || typeof value === "boolean") return toCell(value).text;
  return asText(value);
}

/** Returns removed and added entries. RPC URLs are masked, so unchanged ones cannot be recognized. */
function entryTexts(path: string, was: JsonValue, requested: JsonValue): string[] {
  if (!Array.isArray(was) && !Array.isArray(requested)) return [];
  const [before, after] = [was, requested].map((list) => (Array.isArray(list) ? list.map(entryText) : []));
  if (!before || !after) return [];
  const isReplaced = path === "custom_rpc_urls";
  const [held, kept] = [new Set(before), new Set(after)];
  const removed = before.filter((entry) => isReplaced || !kept.has(entry));
  const added = after.filter((entry) => isReplaced || !held.has(entry));
  if (removed.length + added.length === 0) return before.length > 1 ? ["in another order"] : [];
  return [...removed.map((entry) => `- ${entry}`), ...added.map((entry) => `+ ${entry}`)];
}

function entryText(entry: JsonValue): string {
  if (!isJsonObject(entry)) return asText(entry);
  if (typeof entry.url !== "string") return writeJson(entry);
  const weight = entry.weight === undefined ? "" : ` weight ${writeJson(entry.weight)}`;
  return maskRpcUrl(entry.url) + weight;
}

export const changeVerbs = {
  pause: { act: "pausing a relayer", done: "paused", already: "already paused" },
  resume: { act: "resuming a relayer", done: "resumed", already: "not paused" },
  update: { act: "changing a relayer", done: undefined, already: "already set" },
} as const;

export function changeVerb(body: JsonObject): keyof typeof changeVerbs {
  if (Object.keys(body).length > 1 || typeof body.paused !== "boolean") return "update";
  return body.paused ? "pause" : "resume";
}

export interface Change {
  /** Dotted: `paused`, `policies.swap_config.strategy`. */
  path: string;
  requested: JsonValue;
  /** Absent if the relayer was not read, or lacked the field. */
  was: JsonValue | undefined;
}

/** Policies are split into fields if they replace an object; a new object is one change, for one undo. */
export function changesOf(body: JsonObject, before: Relayer | undefined): Change[] {
  const changes = Object.entries(body).flatMap(([key, requested]) =>
    key === "policies" ? policyChanges(requested, before) : [{ path: key, requested, was: before?.[key] }],
  );
  return before ? changes.filter((change) => !isUnchanged(change)) : changes;
}

function policyChanges(requested: JsonValue, before: Relayer | undefined): Change[] {
  if (isJsonObject(requested)) return innerChanges(requested, "policies", before?.policies, before !== undefined);
  return before ? resetChanges(before) : [{ path: "policies", requested, was: undefined }];
}

function innerChanges(requested: JsonObject, prefix: string, before: JsonValue | undefined, known: boolean): Change[] {
  const old = objectIn(before);
  return Object.entries(requested).flatMap(([key, value]) => {
    const path = `${prefix}.${key}`;
    const opens = isJsonObject(value) && (!known || isJsonObject(old[key]));
    return opens ? innerChanges(value, path, old[key], known) : [{ path, requested: value, was: old[key] }];
  });
}

/** Returns every policy that would lose its value: a set default may differ from an unset field. */
function resetChanges({ policies }: Relayer): Change[] {
  const fields = Object.entries(objectIn(policies));
  return fields.map(([key, was]) => ({ path: `policies.${key}`, requested: null, was }));
}

function isUnchanged({ path, requested, was }: Change): boolean {
  const field = path.slice(path.lastIndexOf(".") + 1);
  return holdsAlready({ [field]: requested }, was === undefined ? {} : { [field]: was });
}
