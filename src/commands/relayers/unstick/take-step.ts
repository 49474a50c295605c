import { sayReceipt } from "../../../command-support/printing.ts";
import { RelayctlError } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { runBump } from "../../tx/bump/run-bump.ts";
import { cancelTransaction } from "../../tx/cancel.ts";
import type { OwnStep } from "./choose-step.ts";
import type { Diagnosed } from "./read-diagnosis.ts";
import { replaceByNothing } from "./replace-by-nothing.ts";

/** Whether a step was applied, was not needed, or was refused because its transaction had changed since it was read. */
export type StepOutcome = "applied" | "not needed" | "changed";

/**
 * Takes a step, and prints its receipt. A transaction that has changed is left to the next diagnosis.
 * @throws RelayctlError as the command of the step does
 */
export async function takeStep(call: Call, found: Diagnosed, step: OwnStep): Promise<StepOutcome> {
  if (step.action === "wait") return "not needed";
  try {
    return (await printed(call, await stepView(call, found, step))) ? "applied" : "not needed";
  } catch (error) {
    const hasChanged = error instanceof RelayctlError && error.failure === "conflict" && error.retryable;
    if (!hasChanged) throw error;
    await call.say(`note: ${error.message}; nothing was sent`);
    return "changed";
  }
}

/** Takes a step that sends something, as its own command does, which in a dry run shows the requests instead. */
export async function stepView(
  call: Call,
  { queue: { relayerId }, diagnosis }: Diagnosed,
  step: Exclude<OwnStep, { action: "wait" }>,
): Promise<View> {
  const target = { relayerId, id: step.id };
  switch (step.action) {
    case "replace-by-nothing":
      return await replaceByNothing(call, target);
    case "cancel":
      return await cancelTransaction(call, { ...target, wait: undefined });
    case "bump":
    case "raise-cap": {
      const plan = { speed: step.speed, maxFee: undefined, repetition: undefined, wait: undefined };
      const raising = step.action === "raise-cap" ? { isKept: false } : undefined;
      const record = diagnosis.head?.record;
      // Another run may have sent it again since the diagnosis: then its record differs from this one.
      const named = record?.id === step.id ? { records: [{ ...target, record }] } : { targets: [target] };
      return await runBump(call, { named, ...plan, raising });
    }
  }
}

/** Prints the receipt of a step, whose result is not printed: the next diagnosis shows it. */
async function printed(call: Call, view: View): Promise<boolean> {
  if (view.kind !== "one") return false;
  const { receipt, failure } = view;
  await sayReceipt(call.say, receipt);
  // What is not known to be on its way yet may be mined all the same.
  if (failure && failure.failure !== "pending") throw failure;
  return receipt !== undefined;
}
