import { holdsAlready } from "../client/read-back/compare.ts";
import { formatAmount, wireAmount } from "../contract/amount.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mergePatch,
  newJsonObject,
  withField,
} from "../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../contract/network-kind.ts";
import {
  type ListField,
  type MissingPolicy,
  type PolicyField,
  type PolicyFields,
  policyFieldCurrency,
  policyFieldsOf,
  policyGaps,
  policyNetworkRule,
} from "../contract/policy.ts";
import { Problems } from "../contract/problems.ts";
import { validateBody } from "../contract/requests/body-problems.ts";
import { policySchemas } from "../contract/requests.ts";
import type { EditedField, Field } from "../contract/resources/field.ts";
import { type Relayer, relayerFields } from "../contract/resources/relayer.ts";
import { isMaskedRpcUrl, MASK, maskRpcUrl } from "../contract/rpc-url.ts";
import type { Problem } from "../errors.ts";
import type { Message } from "../message.ts";
import { describeDisabledRecovery } from "../relayer-state/disabled.ts";
import { stateDisabledReasons } from "../relayer-state/state.ts";
import { commandLine } from "../shell/shell-words.ts";
import { valueAtPath } from "../terminal/select/path.ts";
import { toCell } from "../terminal/view.ts";
import { entryCountText, isPolicyFieldDefault, showAmount } from "./policy-field.ts";

export interface Part {
  /** Dotted, within the resource: `policies.swap_config.strategy`. */
  path: string;
  /** The name in a list of parts: `strategy`. */
  name: string;
  /** The name in a separate prompt: `swap_config.strategy`. */
  label: string;
  field: PartField;
}

/** The type of a part: a policy, or a field of the relayer, some of which have a special prompt. */
export type PartField = PolicyField | { type: Exclude<EditedField["type"], "word">; unset?: string };

const FIELDS: readonly Part[] = Object.entries<Field>(relayerFields).flatMap(([path, { label = path, update }]) => {
  if (!update?.edit) return [];
  const { name = label, ...field } = update.edit;
  return [{ path, name, label: name, field }];
});

export function relayerParts({ network_type }: Relayer, symbol?: string): Part[] {
  return [...FIELDS, ...relayerFieldParts(policyFieldsOf(network_type, symbol), "policies.")];
}

export function relayerFieldParts(fields: PolicyFields, prefix = ""): Part[] {
  return Object.entries(fields).map(([key, field]) => {
    const path = prefix + key;
    return { path, name: key, label: path.replace(/^policies\./, ""), field };
  });
}

export function relayerPartValue(value: JsonObject, { path }: Part): JsonValue {
  return valueAtPath(value, path) ?? null;
}

/** Pairs whose first value rules out the second: the first is prompted for first, so that it can be cleared. */
const BEFORE = [
  ["disallowed_accounts", "allowed_accounts"],
  ["swap_config", "fee_payment_strategy"],
  ["jupiter_swap_options", "strategy"],
] as const;

export function relayerPartsInOrder(parts: readonly Part[], value: JsonObject): Part[] {
  const last = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  const isFirst = (part: Part) =>
    relayerPartValue(value, part) !== null &&
    BEFORE.some(([first, second]) => first === last(part.path) && parts.some(({ path }) => last(path) === second));
  return [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))];
}

export interface Draft {
  value: JsonObject;
  /** Returns the rule that the next version would break, if any. */
  broken(value: JsonObject): string | undefined;
  keep(value: JsonObject): void;
}

export type Subject = ReturnType<typeof relayerPartSubject>;

export interface ListSubject {
  subject: Subject;
  field: ListField;
  list: JsonValue[];
}

export function relayerPartSubject(draft: Draft, part: Part) {
  const next = (value: JsonValue) => withField(draft.value, part.path, value);
  return {
    label: part.label,
    field: part.field,
    now: relayerPartValue(draft.value, part),
    broken: (value: JsonValue) => draft.broken(next(value)),
    keep: (value: JsonValue) => draft.keep(next(value)),
  };
}

/** Undefined keeps the value, and null clears it. */
export function relayerPartAnswered(draft: Draft, { path }: Part, answer: JsonValue | undefined): Draft {
  // What was kept during the input is not part of an unchanged value.
  const value = answer === undefined ? draft.value : withField(draft.value, path, answer);
  draft.keep(value);
  return { ...draft, value };
}

/** Returns a relayer to be changed. The contract validates its policies as a whole. */
export function relayerDraft(relayer: Relayer, keep: Draft["keep"]): Draft {
  return { value: relayer, broken: (value) => newlyBroken(relayer, value)[0]?.rule, keep };
}

function newlyBroken(relayer: Relayer, value: JsonObject): Problem[] {
  const { network_type: kind } = relayer;
  if (!isNetworkKind(kind)) return [];
  const known = new Set(rulesBroken(kind, relayer).map(({ rule }) => rule));
  return rulesBroken(kind, value).filter(({ rule }) => !known.has(rule));
}

function rulesBroken(kind: NetworkKind, { network, policies }: JsonObject): Problem[] {
  const problems = new Problems();
  const whole = isJsonObject(policies) ? policies : {};
  validateBody(problems, policySchemas[kind], whole, (path) => path);
  const networkProblem = policyNetworkRule(kind, network, whole);
  if (networkProblem !== undefined) problems.add("swap_config.strategy", networkProblem);
  return problems.found;
}

/** Returns the smallest merge patch (RFC 7396): equal values in any spelling are omitted, and lists replaced whole. */
export function relayerPartsPatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch = newJsonObject();
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const was = before[key] ?? null;
    const wanted = after[key] ?? null;
    if (isJsonObject(was) && isJsonObject(wanted)) {
      const inner = relayerPartsPatch(was, wanted);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!holdsAlready({ [key]: wanted }, { [key]: was })) patch[key] = wanted;
  }
  return patch;
}

/** Warns before the first prompt that the service refuses every change (facts 4.5). */
export function relayerPartsNote(relayer: Relayer, flags: readonly string[]): Message[] {
  if (relayer.system_disabled !== true) return [];
  const reasons = stateDisabledReasons(relayer.disabled_reason ?? null).join(", ");
  const { remedy } = describeDisabledRecovery(relayer, flags);
  return [
    {
      warning: `the service has disabled this relayer${reasons && ` (${reasons})`}; services up to v1.8 reject every change until they enable the relayer again`,
    },
    ...(remedy === undefined ? [] : [`replace the network's RPC URLs: ${commandLine(...remedy)}`]),
  ];
}

/** Adds only rules that the change would newly break (facts 4.5). @param sourceOf returns where a path was typed */
export function validateRelayerParts(
  problems: Problems,
  patch: JsonObject,
  relayer: Relayer,
  sourceOf: (path: string) => string,
): void {
  const after = mergePatch(relayer, patch);
  const broken = newlyBroken(relayer, after).map(({ where, rule }) => ({ path: where, rule }));
  for (const { path, rule } of [...missingRelayerParts(relayer, after), ...broken]) {
    if (!problems.has(sourceOf(path))) problems.add(sourceOf(path), rule);
  }
}

export function missingRelayerParts(relayer: Relayer, value: JsonObject): MissingPolicy[] {
  const { network_type: kind } = relayer;
  if (!isNetworkKind(kind)) return [];
  const known = policyGaps(kind, relayer.policies).map(({ path }) => path);
  return policyGaps(kind, value.policies).filter(({ path }) => !known.includes(path));
}

/** Returns the policy that contains a gap, to be prompted for as a whole, so that it can be filled or cleared. */
export function relayerPartAround(relayer: Relayer, gap: MissingPolicy): Part {
  const head = `policies.${gap.path.split(".")[0]}`;
  const part = relayerParts(relayer).find(({ path }) => path === head);
  if (!part) throw new Error(`no part holds ${gap.path}`);
  return part;
}

export function shownRelayerPart(value: JsonValue, field: PartField): string {
  if (value === null) return shownUnset(field);
  const text = shownSet(value, field);
  return "default" in field && isPolicyFieldDefault(value, field) ? `${text} (default)` : text;
}

export function unsetRelayerPart(field: PartField): string | undefined {
  if ("default" in field && field.default !== undefined) return `default: ${shownSet(field.default, field)}`;
  return "unset" in field ? field.unset : undefined;
}

function shownUnset(field: PartField): string {
  const meaning = unsetRelayerPart(field);
  return meaning === undefined ? "not set" : `not set (${meaning})`;
}

function shownSet(value: JsonValue, field: PartField): string {
  switch (field.type) {
    case "amount":
      return showAmount(value, policyFieldCurrency(field, wireAmount(value)));
    case "state":
      return value === true ? "paused" : "active";
    case "list":
      return Array.isArray(value) ? entryCountText(value.length) : toCell(value).text;
    case "rpc_urls":
      return Array.isArray(value) ? `${value.length} (masked: replaced as a whole or not at all)` : toCell(value).text;
    case "object":
      return isJsonObject(value) ? setText(Object.values(value)) : toCell(value).text;
    default:
      return toCell(value).text;
  }
}

function setText(fields: readonly JsonValue[]): string {
  const count = fields.filter((key) => key !== null).length;
  return count === 1 ? "1 field set" : `${count} fields set`;
}

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
  return documentParts(relayer, symbol).map((part) => entryFor(part, shown));
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

function entryFor(part: Part, relayer: Relayer): RelayerEntry {
  const { path, field } = part;
  const key = relayerEntryKey(part);
  const value = relayerPartValue(relayer, part);
  if (field.type !== "object" || !isJsonObject(value)) {
    const notes = [...fieldNotes(field), ...(field.type === "rpc_urls" && value !== null ? MASKED : [])];
    return { key, notes, value, reading: amountReading(field, value) };
  }
  const fields = relayerFieldParts(field.fields, `${path}.`).map((inner) => entryFor(inner, relayer));
  return { key, notes: [objectNote(field)], value, fields };
}

const MASKED = ["the service masks these URLs: keep the list unchanged, or replace the whole list; *** is rejected"];

function amountReading(field: PartField, value: JsonValue): string | undefined {
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
  return [objectNote(field), ...innerNotes(innerFields(field))];
}

function objectNote(field: PartField): string {
  const empty = "empty" in field && field.empty !== undefined ? [`[]: ${field.empty}`] : [];
  return [allowedText(field), ...empty, ...nullNote(field)].join("; ");
}

function nullNote(field: PartField): string[] {
  if (field.type === "name" || field.type === "state") return [];
  if (field.type === "flag" && field.default !== undefined) return [`null: default: ${field.default}`];
  return [`null: ${unsetRelayerPart(field) ?? "not set"}`];
}

function allowedText(field: PartField): string {
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

function innerFields(field: PartField): PolicyFields {
  if (field.type === "object") return field.fields;
  return field.type === "list" ? (field.entry?.fields ?? {}) : {};
}

function innerNotes(fields: PolicyFields): string[] {
  return Object.entries(fields).flatMap(([key, field]: [string, PolicyField]) => {
    const [note = "", ...inner] = [allowedText(field), ...innerNotes(innerFields(field))];
    return [`${key}: ${note}`, ...inner].map((line) => `  ${line}`);
  });
}
