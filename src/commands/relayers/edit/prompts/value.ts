import { formatAmount, wireAmount } from "../../../../contract/amount.ts";
import type { JsonValue } from "../../../../contract/json.ts";
import { fieldCurrency, type PolicyField } from "../../../../contract/policy.ts";
import { cell } from "../../../cells.ts";
import type { Subject } from "../draft.ts";
import { clearChoices, type Interview, leaveChoice, valueChoices } from "../interview.ts";
import { readFieldText, typedForm } from "../read-field-text.ts";

/** Prompts for one of a few values. @returns absent to keep it, null to clear it */
export async function askOneOf(
  { prompts }: Interview,
  subject: Subject,
  values: readonly (string | boolean)[],
): Promise<JsonValue | undefined> {
  const choices = [leaveChoice(subject), ...valueChoices(values, subject), ...clearChoices(subject)];
  return await prompts.select<string | boolean | null | undefined>(`${subject.label}:`, choices);
}

/** Prompts for a typed value. @returns absent to keep it, null to clear it */
export async function askTyped(
  interview: Interview,
  subject: Subject,
  field: PolicyField,
): Promise<JsonValue | undefined> {
  const set = { value: "set" as const, name: subject.now === null ? "set it" : "set another" };
  const choices = [leaveChoice(subject), set, ...clearChoices(subject)];
  const move = await interview.prompts.select<"set" | null | undefined>(`${subject.label}:`, choices);
  return move === "set" ? await askText(interview, subject, field) : move;
}

/** Prompts until the text is valid, or empty to keep the value. */
async function askText({ prompts }: Interview, subject: Subject, field: PolicyField): Promise<JsonValue | undefined> {
  const form = typedForm(field);
  const typed = await prompts.text(`New ${subject.label}${form && `, ${form}`} (Enter ${skipText(subject)}):`, {
    validate: (text) => text === "" || verdict(text, subject, field),
  });
  if (typed === "") return undefined;
  const reading = readFieldText(typed, field);
  return "value" in reading ? reading.value : undefined;
}

function skipText({ now, field }: Subject): string {
  if (now === null) return "to skip";
  const amount = field.type === "amount" ? wireAmount(now) : undefined;
  if (amount !== undefined && field.type === "amount") return `keeps ${formatAmount(amount, fieldCurrency(field))}`;
  return `keeps ${cell(now).text}`;
}

function verdict(text: string, { broken }: Subject, field: PolicyField): true | string {
  const reading = readFieldText(text, field);
  return "problem" in reading ? reading.problem : (broken(reading.value) ?? true);
}
