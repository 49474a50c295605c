import { Problems } from "../../../command-support/problems.ts";
import { askText, flagWords, type TextQuestion } from "../../../command-support/prompting/ask-text.ts";
import { flagOf } from "../../../command-support/request-body/body-problems.ts";
import { newIdProblem } from "../../../contract/id.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Call } from "../../command.ts";
import { existingIdProblem } from "../../existing-id.ts";
import { notificationChoices } from "../../notifications/choices.ts";
import { askPolicies, askStrategy, type PolicyTexts } from "./ask-policies.ts";
import { askRequired, choicesFrom } from "./ask-required.ts";
import { creatableRelayer } from "./create-relayer.ts";
import { STRATEGY } from "./first-policies.ts";
import { type CreateFlags, creationFromFlags, REQUIRED } from "./flags.ts";

/** Prompts for required fields; with `-i` for an ID, the notification, and the policies too. */
export async function createInterview(call: Call<CreateFlags>): Promise<boolean> {
  const problems = new Problems();
  const body = await creationFromFlags(call, problems);
  // No prompts while something typed is wrong.
  if (problems.found.some(({ where }) => !isMissing(where, body))) return true;
  const answers = await askRequired(call, body);
  const relayer: Relayer = { ...body, ...answers, id: "" };
  if (call.flags.interactive) await askFields(call, body);
  if (call.flags.policy || call.flags.policies || body.policies) return true;
  const enterPolicies = call.entered.growing();
  const enter = (policies: PolicyTexts) => enterPolicies(policyWords(policies));
  const strategy = relayer.network_type === "stellar" ? await askStrategy(call) : {};
  enter(strategy);
  if (call.flags.interactive) enter(await askPolicies(call, relayer, strategy, enter));
  return true;
}

function isMissing(where: string, body: JsonObject): boolean {
  return where === STRATEGY || Object.keys(REQUIRED).some((field) => where === flagOf(field) && !(field in body));
}

async function askFields(call: Call, body: JsonObject): Promise<void> {
  const prompts = await call.app.prompts();
  if (body.id === undefined) call.entered.add(flagWords("--id", await askText(prompts, idQuestion(call))));
  if (body.notification_id !== undefined) return;
  const choices = (await choicesFrom(call, notificationChoices)) ?? [];
  const none = { value: undefined, name: "none: its events are not reported" };
  const chosen = await prompts.search<string | undefined>("Notification:", [none, ...choices]);
  call.entered.add(flagWords("--notification-id", chosen));
}

function idQuestion(call: Call): TextQuestion {
  return {
    question: "ID (Enter generates one):",
    optional: true,
    example: "eth-main-3",
    problem: newIdProblem,
    conflict: (id) => existingIdProblem(call, creatableRelayer, id),
  };
}

function policyWords(policies: PolicyTexts): string[] {
  return Object.entries(policies).flatMap(([path, text]) => flagWords("--policy", `${path}=${text}`));
}
