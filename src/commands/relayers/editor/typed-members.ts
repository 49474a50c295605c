import { AmountError, parseAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { Problems } from "../../../flow/problems.ts";
import { didYouMean } from "../../../nearest.ts";
import { memberParts, type Part } from "../edit/part.ts";
import { keyOf } from "./document-parts.ts";

/** The members of an object as they were typed: amounts with a unit become numbers, and one that nobody knows is a problem. */
export function typedMembers(problems: Problems, object: JsonObject, parts: readonly Part[]): JsonObject {
  const typed: JsonObject = {};
  const partOf = new Map(parts.map((part) => [keyOf(part), part]));
  for (const [key, value] of Object.entries(object)) {
    const part = partOf.get(key);
    if (part) typed[key] = typedValue(problems, value, part);
    else problems.add(`${prefixOf(parts)}${key}`, unknownMember(key, [...partOf.keys()]));
  }
  return typed;
}

function typedValue(problems: Problems, value: JsonValue, { path, field }: Part): JsonValue {
  if (field.type === "object" && isJsonObject(value)) {
    return typedMembers(problems, value, memberParts(field.members, `${path}.`));
  }
  if (field.type !== "amount" || typeof value !== "string") return value;
  try {
    return parseAmount(value, field.unit);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    problems.add(path, error.message, value);
    return value;
  }
}

function unknownMember(key: string, known: readonly string[]): string {
  return `no such member${didYouMean([key], known)}; known: ${known.join(", ")}`;
}

function prefixOf([first]: readonly Part[]): string {
  return first ? first.path.slice(0, first.path.lastIndexOf(".") + 1) : "";
}
