import { idProblem } from "../../../../contract/id.ts";
import type { JsonValue } from "../../../../contract/json.ts";
import type { Choice } from "../../../../terminal/prompts.ts";
import { cell } from "../../../cells.ts";
import { clearChoices, leaveChoice } from "../choices.ts";
import type { Subject } from "../draft.ts";
import { choose, type Interview } from "../interview.ts";

/** A name cannot be cleared: the service requires one (facts 4.5). */
export async function askName({ prompts }: Interview, { label, now }: Subject): Promise<JsonValue | undefined> {
  const typed = await prompts.text(`New ${label} (Enter keeps ${cell(now).text}):`);
  return typed === "" ? undefined : typed;
}

/** Whether it is paused. */
export function askState({ prompts }: Interview, subject: Subject): Promise<JsonValue | undefined> {
  const other =
    subject.now === true
      ? { value: false, name: "resume: new work is accepted again" }
      : { value: true, name: "pause: new work is rejected, queued work keeps running" };
  return prompts.select<boolean | undefined>(`${subject.label}:`, [leaveChoice(subject), other]);
}

/** One of the notifications that exist. */
export function askNotification(
  { prompts, notifications }: Interview,
  subject: Subject,
): Promise<JsonValue | undefined> {
  const others = notifications.filter(({ value }) => value !== subject.now && idProblem(value) === undefined);
  const choices: Choice<string | null | undefined>[] = [leaveChoice(subject), ...clearChoices(subject), ...others];
  return choose(prompts, `${subject.label}:`, choices);
}
