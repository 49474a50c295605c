import type { PolicyField, PolicyFields } from "../../../contract/policy.ts";
import type { PartField } from "../edit/part.ts";
import { unsetMeaning } from "../edit/shown-value.ts";

/**
 * Returns comments about a field's allowed values and the meaning of null: one line, and another for each field of an
 * object.
 */
export function fieldNotes(field: PartField): string[] {
  return [noteOf(field), ...innerNotes(fieldsOf(field))];
}

/** Returns the first line of the comments. */
export function noteOf(field: PartField): string {
  const empty = "empty" in field && field.empty !== undefined ? [`[]: ${field.empty}`] : [];
  return [allowed(field), ...empty, ...nullNote(field)].join("; ");
}

function nullNote(field: PartField): string[] {
  if (field.type === "name" || field.type === "state") return [];
  if (field.type === "flag" && field.default !== undefined) return [`null: default: ${field.default}`];
  return [`null: ${unsetMeaning(field) ?? "not set"}`];
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

function fieldsOf(field: PartField): PolicyFields {
  if (field.type === "object") return field.fields;
  return field.type === "list" ? (field.entry?.fields ?? {}) : {};
}

function innerNotes(fields: PolicyFields): string[] {
  return Object.entries(fields).flatMap(([key, field]: [string, PolicyField]) => {
    const [note = "", ...inner] = [allowed(field), ...innerNotes(fieldsOf(field))];
    return [`${key}: ${note}`, ...inner].map((line) => `  ${line}`);
  });
}
