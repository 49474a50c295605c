import type { Label } from "../../../../config/labels.ts";
import { firstLines } from "../../../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../contract/json.ts";
import type { ListEntry, ListField } from "../../../../contract/policy.ts";
import { messageText } from "../../../../message.ts";
import { escapeText } from "../../../../terminal/escape.ts";
import type { Choice, Prompts } from "../../../../terminal/prompts.ts";
import { alignWidths } from "../../../../terminal/width.ts";
import {
  type Draft,
  type ListSubject,
  type Part,
  relayerFieldParts,
  relayerPartValue,
  type Subject,
  shownRelayerPart,
  unsetRelayerPart,
} from "../../../../views/relayer-parts.ts";
import { fieldItemText, fieldTextForm, readFieldItem } from "../read-field-text.ts";

export interface Interview {
  prompts: Prompts;
  say(line: string): Promise<void>;
  ask(draft: Draft, parts: readonly Part[]): Promise<Draft>;
  labels(): Promise<readonly Label[]>;
  notifications: readonly Choice<string>[];
}

const FEW = 10;

export function chooseOne<T>({ select, search }: Prompts, question: string, choices: readonly Choice<T>[]): Promise<T> {
  return choices.length > FEW ? search(question, choices) : select(question, choices);
}

export function listPartChoices(parts: readonly Part[], value: JsonObject): Choice<Part>[] {
  const shown = parts.map((part) => [
    part.name,
    escapeText(shownRelayerPart(relayerPartValue(value, part), part.field)),
  ]);
  const rows = alignWidths(shown, "").map(messageText);
  return parts.map((part, index) => ({ value: part, name: rows[index] ?? part.name, short: part.name }));
}

export function leaveChoice({ now, field }: Subject): Choice<undefined> {
  const meaning = unsetRelayerPart(field);
  const unset = meaning === undefined ? "leave unset" : `leave unset (${meaning})`;
  return { value: undefined, name: now === null ? unset : `keep ${shownRelayerPart(now, field)}` };
}

export function listClearChoices({ now, field, broken }: Subject): Choice<null>[] {
  if (now === null) return [];
  const meaning = unsetRelayerPart(field);
  return [{ value: null, name: meaning === undefined ? "clear" : `clear (${meaning})`, ...disabledBy(broken(null)) }];
}

/** Returns the values as choices. A value that would break a rule is listed with the rule and can't be selected. */
export function valueChoices<T extends JsonValue>(values: readonly T[], { now, field, broken }: Subject): Choice<T>[] {
  return values
    .filter((value) => value !== now)
    .map((value) => ({ value, name: shownRelayerPart(value, field), ...disabledBy(broken(value)) }));
}

function disabledBy(rule: string | undefined): { disabled?: string } {
  return rule === undefined ? {} : { disabled: rule };
}

type ListMove = "done" | "add" | "change" | "remove" | "empty" | "clear";

export function listMoves(subject: Subject, field: ListField, list: readonly JsonValue[] | null): Choice<ListMove>[] {
  const isFull = field.words?.every((word) => list?.includes(word)) ?? false;
  const hasEntries = list !== null && list.length > 0;
  return [
    {
      value: "done",
      name: list === subject.now ? leaveChoice(subject).name : `done: ${shownRelayerPart([...(list ?? [])], field)}`,
    },
    ...(isFull ? [] : [{ value: "add" as const, name: "add" }]),
    ...(list?.some(isJsonObject) ? [{ value: "change" as const, name: "change one" }] : []),
    ...(hasEntries ? [{ value: "remove" as const, name: "remove one" }] : []),
    ...emptyChoice(subject, field, hasEntries),
    ...listClearChoices(subject).map((choice) => ({ ...choice, value: "clear" as const })),
  ];
}

function emptyChoice({ now, broken }: Subject, field: ListField, hasEntries: boolean): Choice<ListMove>[] {
  const { empty } = field;
  const isItsOwn = empty !== undefined && !("unset" in field && field.unset === empty);
  if (!hasEntries && (!isItsOwn || now !== null)) return [];
  const name = hasEntries ? "remove all" : "set an empty list";
  return [{ value: "empty", name: empty === undefined ? name : `${name}: ${empty}`, ...disabledBy(broken([])) }];
}

async function addTexts(interview: Interview, { subject, field, list }: ListSubject): Promise<string[]> {
  const added: string[] = [];
  for (;;) {
    const listed = { subject, field, list: [...list, ...added] };
    const question = `${subject.label}, one to add (Enter when done):`;
    const typed = await askItem(interview, question, listed, (item) => item);
    if (typed === "") return added;
    added.push(typed);
    subject.keep([...list, ...added]);
  }
}

/** Prompts for a text, or an entry's key, until it is valid, with a label's address. @returns empty for none */
async function askItem(
  { prompts, labels }: Interview,
  question: string,
  listed: ListSubject,
  entryOf: (item: string) => JsonValue,
): Promise<string> {
  const read = async (text: string) => readFieldItem(text, listed, text.includes("@") ? await labels() : []);
  const verdict = async (text: string) => {
    const reading = await read(text);
    if ("problem" in reading) return reading.problem;
    return listed.subject.broken([...listed.list, entryOf(reading.item)]) ?? true;
  };
  const typed = await prompts.text(question, { validate: (text) => text === "" || verdict(text) });
  const reading = typed === "" ? { item: "" } : await read(typed);
  return "item" in reading ? reading.item : "";
}

async function addWord(
  { prompts }: Interview,
  { subject: { label, broken }, list }: ListSubject,
  words: readonly string[],
): Promise<string> {
  const choices = words
    .filter((word) => !list.includes(word))
    .map((word) => ({ value: word, name: word, ...disabledBy(broken([...list, word])) }));
  return await prompts.select(`${label}, one to add:`, choices);
}

export async function promptForList(
  interview: Interview,
  subject: Subject,
  field: ListField,
): Promise<JsonValue | undefined> {
  const before = Array.isArray(subject.now) ? subject.now : null;
  let list: JsonValue[] | null = before;
  for (;;) {
    for (const line of shownEntries(list ?? [], field)) await interview.say(`  ${line}`);
    const move = await interview.prompts.select(`${subject.label}:`, listMoves(subject, field, list));
    if (move === "done") return list === before || list === null ? undefined : list;
    if (move === "clear") return null;
    list = (await changeList(interview, { subject, field, list: list ?? [] }, move)) ?? list;
    subject.keep(list);
  }
}

function shownEntries(list: readonly JsonValue[], field: ListField): string[] {
  return firstLines(
    list.map((item) => fieldItemText(item, field)),
    FEW,
  );
}

async function changeList(interview: Interview, listed: ListSubject, move: Exclude<ListMove, "done" | "clear">) {
  const { list, subject } = listed;
  if (move === "empty") return [];
  if (move === "add") {
    const added = await addTo(interview, listed);
    return added.length === 0 ? undefined : [...list, ...added];
  }
  const index = await pickEntry(interview, listed, move);
  const changed = move === "change" ? await changeAt(interview, listed, index) : list.filter((_, at) => at !== index);
  const rule = subject.broken(changed);
  if (rule === undefined) return changed;
  await interview.say(`  ${rule}`);
  return undefined;
}

async function addTo(interview: Interview, listed: ListSubject): Promise<JsonValue[]> {
  const { entry, words } = listed.field;
  if (entry) return await addEntry(interview, listed, entry);
  return words ? [await addWord(interview, listed, words)] : await addTexts(interview, listed);
}

async function changeAt(interview: Interview, listed: ListSubject, index: number): Promise<JsonValue[]> {
  const { list, field } = listed;
  const entry = list[index];
  if (!field.entry || !isJsonObject(entry)) return list;
  return list.with(index, await askFields(interview, listed, field.entry, entry, index));
}

function pickEntry({ prompts }: Interview, { subject, field, list }: ListSubject, move: string): Promise<number> {
  const choices = list.map((item, index) => ({ value: index, name: fieldItemText(item, field) }));
  return chooseOne(prompts, `${subject.label}, which to ${move}?`, choices);
}

/** Prompts for an entry: its key, then its other fields. An empty input adds none. @returns the new entry */
async function addEntry(interview: Interview, listed: ListSubject, { key, fields }: ListEntry): Promise<JsonObject[]> {
  const field = fields[key] ?? { type: "word" };
  const question = `${listed.subject.label}, the ${key} of one to add, ${fieldTextForm(field)} (Enter adds none):`;
  const typed = await askItem(interview, question, listed, (item) => ({ [key]: item }));
  if (typed === "") return [];
  return [await askFields(interview, listed, { key, fields }, { [key]: typed }, listed.list.length)];
}

async function askFields(
  { prompts, ask }: Interview,
  { subject, field, list }: ListSubject,
  { key, fields }: ListEntry,
  entry: JsonObject,
  index: number,
): Promise<JsonObject> {
  const parts = relayerFieldParts(fields).filter(({ path }) => path !== key);
  const marked = await prompts.checkbox(
    `What do you want to change in ${fieldItemText(entry, field)}?`,
    listPartChoices(parts, entry),
  );
  const next = (value: JsonObject) => [...list.slice(0, index), value, ...list.slice(index + 1)];
  const draft = {
    value: entry,
    broken: (value: JsonObject) => subject.broken(next(value)),
    keep: (value: JsonObject) => subject.keep(next(value)),
  };
  return (await ask(draft, marked)).value;
}
