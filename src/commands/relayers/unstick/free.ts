import { checkConsent } from "../../../command-support/consent/consent.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import type { View } from "../../../terminal/view.ts";
import { RESENT_WITHIN } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { awaitHead } from "./await-head.ts";
import { afterWrite, blocked } from "./blocked.ts";
import { allowedBy, chooseStep } from "./choose-step.ts";
import type { UnstickFlags } from "./flags.ts";
import { placeOf } from "./place.ts";
import { type Diagnosed, openQueue, type QueueRequest, readDiagnosis } from "./read-diagnosis.ts";
import { refuseGone } from "./refuse-gone.ts";
import type { TakenStep } from "./result.ts";
import type { StepPlace } from "./step-words.ts";
import { type StepOutcome, takeStep } from "./take-step.ts";
import { blockLines, queueView } from "./view.ts";

/**
 * Frees a relayer's transactions: finds what has the chain's next nonce, helps it alone, waits until it is mined, and
 * repeats until nothing is stuck. A step that another run was faster with is not taken.
 * @throws RelayctlError conflict, or unmet after a write, if nothing that is allowed helps; pending at the deadline
 */
export async function free(call: Call<UnstickFlags>, request: QueueRequest): Promise<View> {
  const taken: TakenStep[] = [];
  try {
    return await freeAll(call, request, taken);
  } catch (error) {
    throw taken.length === 0 ? error : afterWrite(error);
  }
}

/** How often a transaction may change before its step until it is only waited for. */
const MOST_CHANGES = 5;

async function freeAll(call: Call<UnstickFlags>, request: QueueRequest, taken: TakenStep[]): Promise<View> {
  let changes = 0;
  let first: Diagnosed | undefined;
  for (;;) {
    const found = await readDiagnosis(call, await openQueue(call, request));
    first ??= found;
    const place = await placeOf(call, found.queue);
    if (found.diagnosis.isStuck === false) {
      await refuseGone(call, found, taken);
      const view = queueView(found, place, taken);
      return taken.length === 0 ? view : { ...view, receipt: [await freedText(call, first, found)] };
    }
    const outcome = await freeHead(call, found, { place, taken });
    if (outcome === "changed" && ++changes < MOST_CHANGES) {
      // What another run has just sent waits at no node for seconds, and would look stuck (facts 16.2).
      await call.app.clock.sleep(RESENT_WITHIN, call.app.interrupt);
      continue;
    }
    await awaitHead(call, found, taken.length > 0);
  }
}

/** Helps the head, if anything that is allowed does. */
async function freeHead(
  call: Call<UnstickFlags>,
  found: Diagnosed,
  { place, taken }: { place: StepPlace; taken: TakenStep[] },
): Promise<StepOutcome> {
  const step = chooseStep(found.diagnosis, allowedBy(call));
  if (!step) throw blocked(found, place, taken.length > 0);
  await requireConsent(call);
  if (taken.length === 0 || canPrompt(call.app, call.common))
    for (const line of blockLines(found, place)) await call.say(line);
  const outcome = await takeStep(call, found, step);
  const { nonce, record } = found.diagnosis.head ?? {};
  if (outcome === "applied") taken.push({ action: step.action, nonce, id: record?.id });
  return outcome;
}

/** Requires that the first step can be agreed to, before anything is waited for. */
async function requireConsent(call: Call): Promise<void> {
  const { protected: isProtected, name } = await call.session();
  checkConsent(call, { act: "freeing stuck transactions", sort: isProtected ? { type: name } : "yes" });
}

/** Returns that a relayer is free again, with what was mined meanwhile. */
async function freedText(call: Call, { diagnosis: { nonce: from } }: Diagnosed, last: Diagnosed): Promise<string> {
  const { name } = await call.session();
  const { diagnosis, queue } = last;
  const isFree = `${queue.relayerId} in ${name} is free again`;
  if (from === undefined || diagnosis.nonce === undefined || diagnosis.nonce <= from) return isFree;
  const after = diagnosis.nonce - from - 1n;
  if (after === 0n) return `${isFree}: nonce ${from} was mined`;
  return `${isFree}: nonce ${from} and the ${after === 1n ? "transaction" : `${after} transactions`} after it were mined`;
}
