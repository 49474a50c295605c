import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import { fieldCurrency } from "../../../contract/policy.ts";
import { maskRpcUrl } from "../../../contract/rpc-url.ts";
import { visible } from "../../../terminal/escape.ts";
import { cell } from "../../../terminal/view.ts";
import { aligned } from "../../../terminal/width.ts";
import { defaultOf, entryCountText, type Kinded, policyAt } from "../../../views/policy-field.ts";
import type { Change } from "./changes.ts";

export interface ChangeContext {
  relayer: Kinded;
  symbol: string | undefined;
  known: boolean;
}

export function changeText(change: Change, changeContext: ChangeContext) {
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

export function changeLines(changes: readonly Change[], changeContext: ChangeContext): string[] {
  const rows = changes.flatMap((one) => {
    const { label, change, entries } = changeText(one, changeContext);
    return [[`  ${label}`, change], ...entries.map((entry) => ["", entry])];
  });
  return aligned(rows.map((row) => row.map(visible)));
}

function unsetText(path: string, changeContext: ChangeContext): string {
  if (path === "custom_rpc_urls") return "the network's own";
  if (path === "policies") return "the service's defaults";
  const field = policyAt(path, changeContext.relayer);
  const byDefault = defaultOf(field);
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
  if (field?.type === "amount" && amount !== undefined) return formatAmount(amount, fieldCurrency(field, amount));
  if (field?.type === "flag" || typeof value === "boolean") return cell(value).text;
  return typeof value === "string" ? value : writeJson(value);
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
  if (!isJsonObject(entry)) return typeof entry === "string" ? entry : writeJson(entry);
  if (typeof entry.url !== "string") return writeJson(entry);
  const weight = entry.weight === undefined ? "" : ` weight ${writeJson(entry.weight)}`;
  return maskRpcUrl(entry.url) + weight;
}

export const changeVerbs = {
  pause: { act: "pausing a relayer", done: "paused", already: "already paused" },
  resume: { act: "resuming a relayer", done: "resumed", already: "not paused" },
  update: { act: "changing a relayer", done: undefined, already: "already set" },
} as const;

export function verbOf(body: JsonObject): keyof typeof changeVerbs {
  if (Object.keys(body).length > 1 || typeof body.paused !== "boolean") return "update";
  return body.paused ? "pause" : "resume";
}
