import type { Label } from "../../../config/labels.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { visible } from "../../../terminal/escape.ts";
import type { Choice, Prompts } from "../../../terminal/prompts.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Draft, Subject } from "./part.ts";
import { heldIn, type Part } from "./part.ts";
import { shownValue, unsetMeaning } from "./shown-value.ts";

export interface Interview {
  prompts: Prompts;
  say(line: string): Promise<void>;
  ask(draft: Draft, parts: readonly Part[]): Promise<Draft>;
  /** Reads the labels that an address may be typed as. */
  labels(): Promise<readonly Label[]>;
  notifications: readonly Choice<string>[];
}

export const FEW = 10;

export function choose<T>({ select, search }: Prompts, question: string, choices: readonly Choice<T>[]): Promise<T> {
  return choices.length > FEW ? search(question, choices) : select(question, choices);
}

export function partChoices(parts: readonly Part[], value: JsonObject): Choice<Part>[] {
  const shown = (part: Part) => visible(shownValue(heldIn(value, part), part.field));
  const rows = aligned(parts.map((part) => [part.name, shown(part)]));
  return parts.map((part, index) => ({ value: part, name: rows[index] ?? part.name, short: part.name }));
}

export function leaveChoice({ now, field }: Subject): Choice<undefined> {
  const meaning = unsetMeaning(field);
  const unset = meaning === undefined ? "leave unset" : `leave unset (${meaning})`;
  return { value: undefined, name: now === null ? unset : `keep ${shownValue(now, field)}` };
}

/** Returns the choice that clears the value, with its meaning; empty if it is unset already. */
export function clearChoices({ now, field, broken }: Subject): Choice<null>[] {
  if (now === null) return [];
  const meaning = unsetMeaning(field);
  return [{ value: null, name: meaning === undefined ? "clear" : `clear (${meaning})`, ...disabledBy(broken(null)) }];
}

/** Returns the values as choices; one that would break a rule is listed with the rule and cannot be selected. */
export function valueChoices<T extends JsonValue>(values: readonly T[], { now, field, broken }: Subject): Choice<T>[] {
  return values
    .filter((value) => value !== now)
    .map((value) => ({ value, name: shownValue(value, field), ...disabledBy(broken(value)) }));
}

/** Returns why a choice that would break a rule cannot be selected. */
export function disabledBy(rule: string | undefined): { disabled?: string } {
  return rule === undefined ? {} : { disabled: rule };
}
