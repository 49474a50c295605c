import { wireAmount } from "../../contract/amount.ts";
import { formatAmount, typedAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { fieldAt, policyFields } from "../../contract/policy.ts";
import type { Relayer } from "../../contract/relayer.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { Session } from "../../flow/session.ts";
import { kindOf } from "./update-body.ts";

interface Change {
  /** `paused`, `policies.gas_price_cap` */
  path: string;
  asked: JsonValue;
  /** Absent when the relayer was not read before, or had none. */
  was: JsonValue | undefined;
}

/** What was applied, old beside new where the old is known, and the command that takes it back. */
export function updateReceipt(id: string, body: JsonObject, before: Relayer | undefined, after: Relayer, session: Session): string[] {
  const changes = changesOf(body, before);
  const told = changes.map((change) => changeText(change, after, before !== undefined)).join(", ");
  const undo = before ? undoFlags(changes, after) : undefined;
  const applied = `applied in ${session.name}: ${id} ${told}`;
  return undo ? [applied, `undo: ${commandLine(...session.flags, "relayers", "update", id, ...undo)}`] : [applied];
}

function changesOf(body: JsonObject, before: Relayer | undefined): Change[] {
  return Object.entries(body).flatMap(([key, asked]) =>
    key === "policies" && isJsonObject(asked)
      ? Object.entries(asked).map(([name, value]) => ({ path: `policies.${name}`, asked: value, was: policyOf(before, name) }))
      : [{ path: key, asked, was: before?.[key] }],
  );
}

function policyOf(relayer: Relayer | undefined, name: string): JsonValue | undefined {
  return isJsonObject(relayer?.policies) ? relayer.policies[name] : undefined;
}

function changeText({ path, asked, was }: Change, after: Relayer, known: boolean): string {
  const name = path.replace("policies.", "");
  if (path === "custom_rpc_urls") return Array.isArray(asked) ? `${name} → ${asked.length} URLs` : `${name} → unset`;
  const now = valueText(path, asked, after);
  return known ? `${name} ${valueText(path, was ?? null, after)} → ${now}` : `${name} → ${now}`;
}

function valueText(path: string, value: JsonValue, relayer: Relayer): string {
  if (value === null) return "unset";
  const unit = unitOf(path, relayer);
  const amount = unit && wireAmount(value);
  if (unit && amount !== undefined) return formatAmount(amount, unit);
  return typeof value === "string" ? value : writeJson(value);
}

function unitOf(path: string, relayer: Relayer) {
  const kind = kindOf(relayer.network_type);
  const field = kind && path.startsWith("policies.") ? fieldAt(policyFields[kind], path.slice("policies.".length)) : undefined;
  return field?.type === "amount" ? field.unit : undefined;
}

/** The flags that restore what was; nothing when that is not possible, as for URLs that only the service knows. */
function undoFlags(changes: readonly Change[], after: Relayer): string[] | undefined {
  const flags = changes.map((change) => undoFlag(change, after));
  return flags.every((flag) => flag !== undefined) ? flags.flat() : undefined;
}

function undoFlag({ path, was }: Change, after: Relayer): string[] | undefined {
  if (path === "custom_rpc_urls" || path === "policies") return undefined;
  if (path === "paused") return was === true ? ["--paused"] : ["--no-paused"];
  if (path.startsWith("policies.")) return undoPolicy(path, was, after);
  const flag = path.replaceAll("_", "-");
  return typeof was === "string" ? [`--${flag}`, was] : [`--no-${flag}`];
}

function undoPolicy(path: string, was: JsonValue | undefined, after: Relayer): string[] {
  const name = path.slice("policies.".length);
  if (was === undefined || was === null) return ["--unset-policy", name];
  const unit = unitOf(path, after);
  const amount = unit && wireAmount(was);
  const text = unit && amount !== undefined ? typedAmount(amount, unit) : typeof was === "string" ? was : writeJson(was);
  return ["--policy", `${name}=${text}`];
}
