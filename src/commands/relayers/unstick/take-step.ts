import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { cancelTransaction } from "../../tx/cancel.ts";
import type { OwnStep } from "./choose-step.ts";
import type { Diagnosed } from "./read-diagnosis.ts";
import { replaceByNothing } from "./replace-by-nothing.ts";

/**
 * Takes a step, and prints its receipt.
 * @returns whether a write was applied
 * @throws RelayctlError as the command of the step does
 */
export async function takeStep(call: Call, { queue }: Diagnosed, step: OwnStep): Promise<boolean> {
  const { relayerId } = queue;
  switch (step.action) {
    case "wait":
      return false;
    case "replace-by-nothing":
      return await printed(call, await replaceByNothing(call, { relayerId, id: step.id }));
    case "cancel":
      return await printed(call, await cancelTransaction(call, { relayerId, id: step.id, wait: undefined }));
  }
}

/** Prints the receipt of a step, whose result is not printed: the next diagnosis shows it. */
async function printed(call: Call, view: View): Promise<boolean> {
  if (view.kind !== "one") return false;
  const { receipt, failure } = view;
  for (const line of receipt ?? []) await call.say(line);
  if (failure) throw failure;
  return receipt !== undefined;
}
