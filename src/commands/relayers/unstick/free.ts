import { type CheckedConsent, checkConsent } from "../../../command-support/consent/consent.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { RelayctlError } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { awaitHead } from "./await-head.ts";
import { type Allowed, chooseStep, type OwnStep } from "./choose-step.ts";
import type { UnstickFlags } from "./flags.ts";
import { placeOf } from "./place.ts";
import { type Diagnosed, openQueue, type QueueRequest, readDiagnosis } from "./read-diagnosis.ts";
import type { TakenStep } from "./result.ts";
import { stepCommand, stepText } from "./step-words.ts";
import { takeStep } from "./take-step.ts";
import { blockLines, queueView } from "./view.ts";

const ACT = "freeing stuck transactions";

/**
 * Frees a relayer's transactions: finds what has the chain's next nonce, helps it alone, waits until it is mined, and
 * repeats until nothing is stuck.
 * @throws RelayctlError conflict, or unmet after a write, if nothing that is allowed helps; pending at the deadline
 */
export async function free(call: Call<UnstickFlags>, request: QueueRequest): Promise<View> {
  const taken: TakenStep[] = [];
  for (;;) {
    const found = await readDiagnosis(call, await openQueue(call, request));
    const place = await placeOf(call, found.queue);
    if (found.diagnosis.isStuck === false) return { ...queueView(found, place, taken), ...ending(taken) };
    const step = chooseStep(found.diagnosis, allowedBy(call));
    if (!step) throw await blocked(call, found, taken);
    const consent = await consentFor(call);
    if (taken.length === 0 || consent === "to ask") await showPlan(call, found, step);
    const wrote = await takeStep(call, found, step);
    if (wrote)
      taken.push({ action: step.action, nonce: found.diagnosis.head?.nonce, id: "id" in step ? step.id : undefined });
    await awaitHead(call, found, taken.length > 0);
  }
}

function allowedBy({ app, common, flags }: Call<UnstickFlags>): Allowed {
  const isAsked = canPrompt(app, common) && common.yes !== true;
  return { cancels: flags.cancel === true || isAsked };
}

/** Requires that a step can be agreed to, before anything is waited for. */
async function consentFor(call: Call): Promise<CheckedConsent> {
  const { protected: isProtected, name } = await call.session();
  return checkConsent(call, { act: ACT, sort: isProtected ? { type: name } : "yes" });
}

async function showPlan(call: Call, found: Diagnosed, step: OwnStep): Promise<void> {
  const place = await placeOf(call, found.queue);
  for (const line of blockLines(found, place)) await call.say(line);
  if (step !== found.diagnosis.steps[0]) await call.say(`step: ${stepText(step, found.diagnosis, place)}`);
}

function ending(taken: readonly TakenStep[]) {
  return taken.length === 0
    ? {}
    : { receipt: [`freed: ${taken.length} ${taken.length === 1 ? "step" : "steps"}, and nothing is stuck`] };
}

/** Returns the error for a head that no allowed step helps. */
async function blocked(call: Call, found: Diagnosed, taken: readonly TakenStep[]): Promise<RelayctlError> {
  const { flags } = await call.session();
  const { diagnosis, fault, queue } = found;
  const place = await placeOf(call, queue);
  const [head, ...others] = diagnosis.findings.filter(({ severity }) => severity === "fail");
  const at = diagnosis.head?.nonce === undefined ? "" : `nonce ${diagnosis.head.nonce}: `;
  const ways = diagnosis.steps.map((step) => {
    const command = stepCommand(step, place);
    return `to free it: ${stepText(step, diagnosis, place)}${command === undefined ? "" : `: ${command}`}`;
  });
  const hint = diagnosis.steps.map((step) => stepCommand(step, place)).find((command) => command !== undefined);
  return new RelayctlError(
    taken.length > 0 ? "unmet" : "conflict",
    `${at}${head?.message ?? "not known to be stuck"}`,
    {
      applied: taken.length > 0 ? "yes" : "no",
      because: [
        ...others.map(({ message }) => message),
        ...(fault ? [fault.words] : []),
        ...ways,
        ...(taken.length > 0 ? [] : ["nothing was sent"]),
      ],
      hint: hint ?? commandLine(...flags, "relayers", "unstick", queue.relayerId, "--dry-run"),
      retryable: false,
    },
  );
}
