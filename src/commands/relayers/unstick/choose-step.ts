import type { Diagnosis, QueueStep } from "../../../chain/queue/diagnosis.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import type { Call } from "../../command.ts";
import type { UnstickFlags } from "./flags.ts";

interface Allowed {
  /** Whether a payment may be canceled: a question comes first, or `--cancel` was typed. */
  cancels: boolean;
  /** Whether the relayer's cap may be raised meanwhile. */
  raisesCap: boolean;
}

export function allowedBy({ app, common, flags }: Call<UnstickFlags>): Allowed {
  const isAsked = canPrompt(app, common) && common.yes !== true;
  return { cancels: flags.cancel === true || isAsked, raisesCap: flags.raiseCap === true };
}

export type OwnStep = Extract<QueueStep, { action: "wait" | "bump" | "raise-cap" | "replace-by-nothing" | "cancel" }>;

/**
 * Returns the best step that is allowed; undefined if there is none. Raising the cap comes before a bump that may be
 * kept back by it, which is offered where the service may price otherwise.
 */
export function chooseStep({ steps }: Pick<Diagnosis, "steps">, allowed: Allowed): OwnStep | undefined {
  const choices = steps.filter(isOwn).filter((step) => isAllowed(step, allowed));
  return choices.find(({ action }) => action === "raise-cap") ?? choices[0];
}

function isOwn(step: QueueStep): step is OwnStep {
  return ["wait", "bump", "raise-cap", "replace-by-nothing", "cancel"].includes(step.action);
}

function isAllowed(step: OwnStep, { cancels, raisesCap }: Allowed): boolean {
  if (step.action === "raise-cap") return raisesCap;
  return step.action !== "cancel" || !step.discards || cancels;
}
