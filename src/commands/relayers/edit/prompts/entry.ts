import { isJsonObject, type JsonObject, type JsonValue } from "../../../../contract/json.ts";
import type { ListEntry, PolicyField } from "../../../../contract/policy.ts";
import type { ListSubject } from "../draft.ts";
import { type Interview, partChoices } from "../interview.ts";
import { isListed, itemText } from "../list-item.ts";
import { fieldParts } from "../part.ts";
import { readFieldText, typedForm } from "../read-field-text.ts";

/** Prompts for an entry: its key, then its other fields. Enter alone adds none. @returns the new entry */
export async function addEntry(
  interview: Interview,
  listed: ListSubject,
  { key, fields }: ListEntry,
): Promise<JsonObject[]> {
  const field = fields[key] ?? { type: "word" };
  const typed = await interview.prompts.text(
    `${listed.subject.label}, the ${key} of one to add, ${typedForm(field)} (Enter adds none):`,
    { validate: (text) => text === "" || (keyProblem(text, key, field, listed) ?? true) },
  );
  if (typed === "") return [];
  return [await askFields(interview, listed, { key, fields }, { [key]: typed }, listed.list.length)];
}

function keyProblem(
  text: string,
  key: string,
  field: PolicyField,
  { subject, field: listField, list }: ListSubject,
): string | undefined {
  const reading = readFieldText(text, field);
  if ("problem" in reading) return reading.problem;
  if (isListed(text, list, listField)) return `${text} is already in the list`;
  return subject.broken([...list, { [key]: text }]);
}

/** Prompts for the changes to an existing entry. @returns the list with it */
export async function changeEntry(
  interview: Interview,
  listed: ListSubject,
  shape: ListEntry,
  index: number,
): Promise<JsonValue[]> {
  const entry = listed.list[index];
  if (!isJsonObject(entry)) return listed.list;
  return listed.list.with(index, await askFields(interview, listed, shape, entry, index));
}

/** Prompts for every field of an entry except its key. */
async function askFields(
  { prompts, ask }: Interview,
  { subject, field, list }: ListSubject,
  { key, fields }: ListEntry,
  entry: JsonObject,
  index: number,
): Promise<JsonObject> {
  const parts = fieldParts(fields).filter(({ path }) => path !== key);
  const marked = await prompts.checkbox(
    `What do you want to change in ${itemText(entry, field)}?`,
    partChoices(parts, entry),
  );
  const next = (value: JsonObject) => [...list.slice(0, index), value, ...list.slice(index + 1)];
  const draft = {
    value: entry,
    broken: (value: JsonObject) => subject.broken(next(value)),
    keep: (value: JsonObject) => subject.keep(next(value)),
  };
  return (await ask(draft, marked)).value;
}
