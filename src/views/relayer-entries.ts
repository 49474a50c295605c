import { formatAmount, wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../contract/json.ts";
import { isNetworkKind } from "../contract/network-kind.ts";
import { type PolicyField, type PolicyFields, policyFieldCurrency, policyFieldsOf } from "../contract/policy.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { isMaskedRpcUrl, MASK, maskRpcUrl } from "../contract/rpc-url.ts";
import {
  type Part,
  type PartField,
  relayerFieldParts,
  relayerParts,
  relayerPartValue,
  unsetRelayerPart,
} from "./relayer-parts.ts";

export interface RelayerEntry {
  key: string;
  notes: readonly string[];
  value: JsonValue;
  /** The value in readable form: `80 gwei`. */
  reading?: string | undefined;
  fields?: readonly RelayerEntry[];
}

export function relayerEntries(relayer: Relayer, symbol: string | undefined): RelayerEntry[] {
  const shown = {
    ...relayer,
    custom_rpc_urls: shownUrls(relayer.custom_rpc_urls),
    policies: relayer.policies ?? {},
  };
  return documentParts(relayer, symbol).map((part) => buildEntry(part, shown));
}

/** Returns RPC URLs for editing: masked even if only user-info is, so that each without its secret shows it. */
function shownUrls(urls: JsonValue | undefined): JsonValue {
  if (!Array.isArray(urls)) return urls ?? null;
  return urls.map((entry) =>
    isJsonObject(entry) && typeof entry.url === "string" ? { ...entry, url: shownUrl(entry.url) } : entry,
  );
}

function shownUrl(url: string): string {
  const masked = maskRpcUrl(url);
  return masked === url || isMaskedRpcUrl(masked) ? masked : masked.replace("://", `://${MASK}@`);
}

function buildEntry(part: Part, relayer: Relayer): RelayerEntry {
  const { path, field } = part;
  const key = relayerEntryKey(part);
  const value = relayerPartValue(relayer, part);
  if (field.type !== "object" || !isJsonObject(value)) {
    const notes = [...fieldNotes(field), ...(field.type === "rpc_urls" && value !== null ? MASKED : [])];
    return { key, notes, value, reading: getReading(field, value) };
  }
  const fields = relayerFieldParts(field.fields, `${path}.`).map((inner) => buildEntry(inner, relayer));
  return { key, notes: [formatNote(field)], value, fields };
}

const MASKED = ["the service masks these URLs: keep the list unchanged, or replace the whole list; *** is rejected"];

function getReading(field: PartField, value: JsonValue): string | undefined {
  const amount = field.type === "amount" ? wireAmount(value) : undefined;
  return field.type === "amount" && amount !== undefined
    ? formatAmount(amount, policyFieldCurrency(field, amount))
    : undefined;
}

export function documentParts(relayer: Relayer, symbol: string | undefined): Part[] {
  const { network_type: kind } = relayer;
  const fields = relayerParts(relayer).filter(({ path }) => !path.startsWith("policies."));
  if (!isNetworkKind(kind)) return fields;
  const field = { type: "object" as const, fields: policyFieldsOf(kind, symbol), unset: "every policy is reset" };
  return [...fields, { path: "policies", name: "policies", label: "policies", field }];
}

export function relayerEntryKey({ path }: Part): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Returns comments about a field's values and the meaning of null, one line per field of an object. */
function fieldNotes(field: PartField): string[] {
  return [formatNote(field), ...innerNotes(buildFields(field))];
}

function formatNote(field: PartField): string {
  const empty = "empty" in field && field.empty !== undefined ? [`[]: ${field.empty}`] : [];
  return [allowed(field), ...empty, ...nullNote(field)].join("; ");
}

function nullNote(field: PartField): string[] {
  if (field.type === "name" || field.type === "state") return [];
  if (field.type === "flag" && field.default !== undefined) return [`null: default: ${field.default}`];
  return [`null: ${unsetRelayerPart(field) ?? "not set"}`];
}

function allowed(field: PartField): string {
  switch (field.type) {
    case "name":
      return "a text";
    case "state":
      return "true: new transactions are rejected, queued transactions continue; false: new transactions are accepted";
    case "notification":
      return "the ID of a notification";
    case "rpc_urls":
      return "a list of objects with a url and an optional weight (0–100)";
    case "amount":
      return `in ${field.unit}`;
    case "flag":
      return "true or false";
    case "integer":
      return `a whole number from 0 to ${field.most}`;
    case "decimal":
      return field.most === undefined ? "a number of 0 or more" : `a number from 0 to ${field.most}`;
    case "word":
      return field.words ? `one of ${field.words.join(", ")}` : (field.form?.rule ?? "a text");
    case "list":
      return field.entry ? `${field.rule}, objects with these fields` : field.rule;
    case "object":
      return "an object with these fields";
    case "json":
      return `e.g. ${field.example}`;
  }
}

function buildFields(field: PartField): PolicyFields {
  if (field.type === "object") return field.fields;
  return field.type === "list" ? (field.entry?.fields ?? {}) : {};
}

function innerNotes(fields: PolicyFields): string[] {
  return Object.entries(fields).flatMap(([key, field]: [string, PolicyField]) => {
    const [note = "", ...inner] = [allowed(field), ...innerNotes(buildFields(field))];
    return [`${key}: ${note}`, ...inner].map((line) => `  ${line}`);
  });
}
