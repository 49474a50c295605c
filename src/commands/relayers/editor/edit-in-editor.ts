import type { App } from "../../../app.ts";
import type { ApiResult } from "../../../client/request.ts";
import { symbolFor } from "../../../coins/coin-symbol.ts";
import { validateId } from "../../../command-support/ids.ts";
import type { Label } from "../../../config/labels.ts";
import { amountOr, parseAmount, wireAmount } from "../../../contract/amount.ts";
import {
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  positionsIn,
  prettyJson,
  type TextPosition,
  withoutComments,
  writeJson,
} from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import { type AmountField, type ListField, policyFieldCurrency } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { policySchemas, updateRelayerSchema } from "../../../contract/requests.ts";
import { sentFields } from "../../../contract/resources/field.ts";
import { type Relayer, relayerFields } from "../../../contract/resources/relayer.ts";
import { type Problem, problemText, RelayctlError, usageError } from "../../../errors.ts";
import { nearestChoice } from "../../../nearest.ts";
import { readLabels } from "../../../session/labels.ts";
import { escapeJson, escapeText } from "../../../terminal/escape.ts";
import type { View } from "../../../terminal/view.ts";
import { relayerNetworkCell } from "../../../views/relayer.ts";
import {
  documentParts,
  type Part,
  type RelayerEntry,
  relayerEntries,
  relayerEntryKey,
  relayerFieldParts,
  relayerParts,
  relayerPartsNote,
  relayerPartsPatch,
  relayerPartValue,
  validateRelayerParts,
} from "../../../views/relayer-parts.ts";
import type { Call } from "../../command.ts";
import { withAddresses } from "../change/typed-policies.ts";
import { fieldItemProblem, fieldItemKey as itemKey } from "../edit/read-field-text.ts";
import { type EditFlags, sendEdit } from "../edit/send-edit.ts";

type PlacedProblem = Problem & { place: TextPosition };

/** The prefix of lines at the top, which are removed before the text is parsed again. */
const MARK = "//!";

function withLines(text: string, lines: readonly string[]): string {
  return [...lines.map((line) => `${MARK} ${escapeText(line)}`), text].join("\n");
}

function problemLines(problems: readonly Problem[]): string[] {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const head = `${count}, nothing was sent. Correct the text, or close the editor without changes to cancel.`;
  return [head, ...problems.map((problem) => `  ${problemText(problem)}`)];
}

function shownProblems(problems: readonly PlacedProblem[]): Problem[] {
  const above = problems.length + 1;
  return problems.map(({ place: { line, column }, where, ...problem }) => {
    const at = `line ${line + above} column ${column}`;
    return { ...problem, where: where === "" ? at : `${at}, ${where}` };
  });
}

/** Returns whether the service applied nothing of a change, and another text may fix it. */
function isRefusal(error: unknown): error is RelayctlError {
  if (!(error instanceof RelayctlError) || error.applied !== "no") return false;
  return error.http?.method === "PATCH" && (error.failure === "rejected" || error.failure === "not_found");
}

function refusalLines({ message, because, http }: RelayctlError): string[] {
  return [
    `the service refused this with ${http?.status ?? "an error"}, nothing was applied. Correct the text, or close the editor without changes to cancel.`,
    ...[message, ...because].map((line) => `  ${line}`),
  ];
}

export type Edit = (text: string) => Promise<string>;

export type EditorReading<T> = { value: T } | { problems: readonly PlacedProblem[] };

/**
 * Opens a text in an editor until it is valid and accepted, each time with the problems at the top.
 * @param use gets the parsed value, undefined if the text is unchanged; if it is refused, the text is opened again
 * @throws RelayctlError declined if the result is empty; the problems if a text is returned unchanged
 */
export async function editorLoop<T, Result>(
  original: string,
  edit: Edit,
  read: (text: string) => EditorReading<T>,
  use: (value: T | undefined) => Promise<Result>,
): Promise<Result> {
  let shown = original;
  let obstacle: RelayctlError | undefined;
  for (;;) {
    const edited = await edit(shown);
    if (isBlank(edited)) throw new RelayctlError("declined", "the file is empty; nothing was sent");
    if (edited === shown && obstacle) throw obstacle;
    const text = edited.replace(new RegExp(`^(?:${MARK}[^\\n]*\\n)+`), "");
    const reading = text === original ? { value: undefined } : read(text);
    if ("problems" in reading) {
      const problems = shownProblems(reading.problems);
      obstacle = usageError(problems);
      shown = withLines(text, problemLines(problems));
      continue;
    }
    try {
      return await use(reading.value);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      obstacle = error;
      shown = withLines(text, refusalLines(error));
    }
  }
}

function isBlank(text: string): boolean {
  return withoutComments(text).trim() === "";
}

/** Parses the user's changes of a document as a merge patch: null or missing clears. @param original the document */
export function readEditorDocument(
  text: string,
  original: string,
  { relayer, symbol, labels }: { relayer: Relayer; symbol: string | undefined; labels: readonly Label[] },
): EditorReading<JsonObject> {
  const json = withoutComments(text);
  const document = parseEdited(json);
  if (document instanceof JsonSyntaxError) return unreadableEdit(`is not JSON: ${document.reason}`, document);
  if (!isJsonObject(document)) return unreadableEdit("is not a JSON object", START);
  const problems = new Problems();
  const before = parseJson(withoutComments(original)) as JsonObject;
  const typed = typedFields(problems, document, documentParts(relayer, symbol), before);
  if (isJsonObject(typed.policies) && isNetworkKind(relayer.network_type)) {
    const getSource = (path: string) => `policies.${path}`;
    typed.policies = withAddresses(problems, typed.policies, { labels, sourceOf: getSource }, relayer.network_type);
  }
  const patch = relayerPartsPatch(before, typed);
  validatePatch(problems, patch, relayer);
  if (problems.found.length === 0) return { value: patch };
  const places = positionsIn(json);
  return { problems: problems.found.map((problem) => ({ ...problem, place: positionFor(problem.where, places) })) };
}

const START: TextPosition = { line: 1, column: 1 };

function parseEdited(json: string): JsonValue | JsonSyntaxError {
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

function unreadableEdit(rule: string, place: TextPosition): EditorReading<never> {
  return { problems: [{ where: "", rule, place }] };
}

function positionFor(path: string, places: ReadonlyMap<string, TextPosition>): TextPosition {
  const place = places.get(path);
  if (place || path === "") return place ?? START;
  return positionFor(path.slice(0, Math.max(0, path.lastIndexOf("."))), places);
}

export function editorDocument(relayer: Relayer, context: string, symbol: string | undefined): string {
  const comments = editorHeader(relayer, context).map((line) => `// ${line}`.trimEnd());
  return [...comments, "{", ...fieldLines(relayerEntries(relayer, symbol), "  "), "}", ""].join("\n");
}

const EXAMPLES: Record<NetworkKind, string> = { evm: "80gwei", solana: "0.01sol", stellar: "0.1xlm" };

function editorHeader(relayer: Relayer, context: string): string[] {
  const { id, network_type: kind } = relayer;
  return [
    [id, relayerNetworkCell(relayer).text, context].map(escapeText).join(" · "),
    "",
    "Edit the values, save, and close the editor. You see the changes and confirm them before they are sent.",
    "A field that is null or deleted is cleared; the comment above it says what then applies.",
    ...(isNetworkKind(kind)
      ? [`An amount is a whole number or a string with a unit, e.g. "${EXAMPLES[kind]}".`]
      : ["The policies are not shown: this version of relayctl does not know this kind of relayer."]),
    "If the file is unchanged or empty, nothing is sent. Comments are ignored.",
  ];
}

function fieldLines(entries: readonly RelayerEntry[], indent: string): string[] {
  return entries.flatMap((entry, index) => {
    const notes = entry.notes.map((note) => `${indent}// ${note}`);
    const [first = "", ...rest] = valueLines(entry, indent);
    const lines = [`${indent}${writeJson(entry.key)}: ${first}`, ...rest];
    const comma = index < entries.length - 1 ? "," : "";
    const reading = entry.reading === undefined ? "" : ` // ${entry.reading}`;
    return [...notes, ...lines.slice(0, -1), lines.at(-1) + comma + reading];
  });
}

function valueLines({ value, fields }: RelayerEntry, indent: string): string[] {
  if (fields) return ["{", ...fieldLines(fields, `${indent}  `), `${indent}}`];
  const [first = "", ...rest] = escapeJson(prettyJson(value)).split("\n");
  return [first, ...rest.map((line) => indent + line)];
}

export async function editInEditor(call: Call<EditFlags>, before: ApiResult<Relayer>): Promise<View> {
  const session = await call.session();
  const { name, flags, pausing } = session;
  const relayer = before.data;
  for (const line of relayerPartsNote(relayer, flags)) await call.say(line);
  const symbol = await symbolFor(session, relayer);
  const original = call.app.secrets.masked(editorDocument(relayer, name, symbol));
  let labels: readonly Label[] = [];
  return await keepingFile(call.app, relayer.id, (edit) =>
    editorLoop(
      original,
      async (text) => {
        const typed = await pausing(edit(text));
        if (typed.includes("@")) labels = await readLabels(call.app);
        return typed;
      },
      (text) => readEditorDocument(text, original, { relayer, symbol, labels }),
      (patch = {}) => sendEdit(call, before, patch),
    ),
  );
}

/** Provides a file for an editor, which is removed afterwards, unless a failure makes the typed text worth keeping. */
async function keepingFile<T>(app: App, name: string, use: (edit: Edit) => Promise<T>): Promise<T> {
  const file = await app.editorFile(name);
  let typed: string | undefined;
  const edit: Edit = async (text) => {
    typed = await file.edit(text);
    return typed;
  };
  try {
    const result = await use(edit);
    await file.remove();
    return result;
  } catch (error) {
    if (!isWorthKeeping(error, typed)) {
      await file.remove();
      throw error;
    }
    const kept = `the file is kept: ${file.path}`;
    throw error instanceof RelayctlError ? error.with({ because: [kept] }) : error;
  }
}

/** Returns whether to keep the typed text: not if the editor never opened, or the file is empty. */
function isWorthKeeping(error: unknown, typed: string | undefined): boolean {
  if (typed === undefined) return !(error instanceof RelayctlError && error.failure === "usage");
  return !isBlank(typed);
}

/** Returns an object's fields as typed: amounts with a unit become numbers. @param before the object as shown */
function typedFields(problems: Problems, object: JsonObject, parts: readonly Part[], before: JsonObject): JsonObject {
  const typed: JsonObject = {};
  const partOf = new Map(parts.map((part) => [relayerEntryKey(part), part]));
  for (const [key, value] of Object.entries(object)) {
    const part = partOf.get(key);
    if (part) typed[key] = typedValue(problems, value, part, before[key]);
    else problems.add(`${pathPrefix(parts)}${key}`, `unknown field${nearestChoice([key], [...partOf.keys()])}`);
  }
  return typed;
}

function typedValue(problems: Problems, value: JsonValue, { path, field }: Part, before: JsonValue | undefined) {
  if (field.type === "object" && isJsonObject(value)) {
    const was = isJsonObject(before) ? before : {};
    return typedFields(problems, value, relayerFieldParts(field.fields, `${path}.`), was);
  }
  return field.type === "amount" ? typedAmount(problems, value, { path, field }, before) : value;
}

function typedAmount(
  problems: Problems,
  value: JsonValue,
  { path, field }: { path: string; field: AmountField },
  before: JsonValue | undefined,
): JsonValue {
  const text = typeof value === "string" ? value : isJsonInteger(value) ? String(value) : undefined;
  const amount = wireAmount(value);
  if (text === undefined || (amount !== undefined && amount === wireAmount(before)) || text.startsWith("-"))
    return value;
  const found = amountOr(
    () => parseAmount(text, policyFieldCurrency(field), "line"),
    (rule) => void problems.add(path, rule, text),
  );
  return found ?? value;
}

function pathPrefix([first]: readonly Part[]): string {
  return first ? first.path.slice(0, first.path.lastIndexOf(".") + 1) : "";
}

/** Adds a problem per rule that a change would break, by itself or merged; rules broken before are ignored. */
function validatePatch(problems: Problems, patch: JsonObject, relayer: Relayer): void {
  for (const [name, field] of sentFields(relayerFields, "update")) {
    const value = patch[name];
    if (value === null && field.null === "refused") problems.add(name, "cannot be cleared");
    if (typeof value === "string" && field.refersTo) validateId(problems, name, value);
  }
  validateBody(problems, updateRelayerSchema, patch, (path) => path);
  const { network_type: kind } = relayer;
  if (isJsonObject(patch.policies) && isNetworkKind(kind))
    validateBody(problems, policySchemas[kind], patch.policies, getSource);
  validateItems(problems, patch, relayer);
  validateRelayerParts(problems, patch, relayer, getSource);
}

/** Validates new texts and keys in a list: the service accepts any text as an address (facts 13.3). */
function validateItems(problems: Problems, patch: JsonObject, relayer: Relayer): void {
  for (const part of relayerParts(relayer)) {
    const [list, before] = [relayerPartValue(patch, part), relayerPartValue(relayer, part)];
    if (part.field.type !== "list" || !Array.isArray(list)) continue;
    const known = Array.isArray(before) ? before : [];
    for (const { at, key, rule } of newItemProblems(list, known, part.field)) {
      const where = `${part.path}.${at}`;
      if (!problems.has(where)) problems.add(where, rule, key);
    }
  }
}

function newItemProblems(list: readonly JsonValue[], known: readonly JsonValue[], field: ListField) {
  const old = new Set(known.map((item) => itemKey(item, field)));
  return list.flatMap((item, index) => {
    const key = itemKey(item, field);
    const rule = key === "" || old.has(key) ? undefined : fieldItemProblem(key, list.slice(0, index), field);
    return rule === undefined ? [] : [{ at: field.entry ? `${index}.${field.entry.key}` : `${index}`, key, rule }];
  });
}

function getSource(path: string): string {
  return path === "" ? "policies" : `policies.${path}`;
}
