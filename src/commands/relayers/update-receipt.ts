import { formatAmount, wireAmount } from "../../contract/amount.ts";
import { type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { Relayer } from "../../contract/relayer.ts";
import type { Session } from "../../flow/session.ts";
import { commandLine } from "../../flow/shell-words.ts";
import { type Change, changesOf } from "./changes.ts";
import { unitOf } from "./policy-unit.ts";
import { undoFlags } from "./undo-flags.ts";

/** What was applied, old beside new where the old is known, and the command that takes it back. */
export function updateReceipt(
  id: string,
  body: JsonObject,
  { before, after }: { before: Relayer | undefined; after: Relayer },
  session: Session,
): string[] {
  const changes = changesOf(body, before);
  const told = changes.map((change) => changeText(change, after, before !== undefined)).join(", ");
  const applied = `applied in ${session.name}: ${id} ${told}`;
  const undo = before && undoFlags(changes, after);
  return undo ? [applied, `undo: ${commandLine(...session.flags, "relayers", "update", id, ...undo)}`] : [applied];
}

function changeText({ path, asked, was }: Change, relayer: Relayer, known: boolean): string {
  const name = path.replace(/^policies\./, "");
  if (path === "custom_rpc_urls")
    return `${name} → ${Array.isArray(asked) ? `${asked.length} of its own` : "the network's own"}`;
  if (path === "policies") return "policies → none of its own";
  const now = valueText(path, asked, relayer);
  return known ? `${name} ${valueText(path, was ?? null, relayer)} → ${now}` : `${name} → ${now}`;
}

function valueText(path: string, value: JsonValue, relayer: Relayer): string {
  if (value === null) return "unset";
  const unit = unitOf(path, relayer);
  const amount = unit && wireAmount(value);
  if (unit && amount !== undefined) return formatAmount(amount, unit);
  return typeof value === "string" ? value : writeJson(value);
}
