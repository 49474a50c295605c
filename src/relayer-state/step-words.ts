import type { Diagnosis, QueueStep } from "../chain/queue/diagnosis.ts";
import { feeList } from "../chain/replacement/fees.ts";
import { type Currency, formatAmount, priceText } from "../contract/amount.ts";
import { commandLine } from "../shell/shell-words.ts";

export interface StepPlace {
  relayerId: string;
  address: string | undefined;
  flags: readonly string[];
  coin: Currency;
}

/** Returns a step in words, as an order: `bump it at fastest`. */
export function queueStepText(step: QueueStep, { head }: Diagnosis, { address, coin }: StepPlace): string {
  switch (step.action) {
    case "wait":
      return head?.record ? "wait until it is mined" : "wait until the service fills the gap";
    case "bump":
      return `send it again at a higher fee, at speed ${step.speed}`;
    case "raise-cap":
      return `raise the cap to ${priceText(step.cap)} or more, send it again at a higher fee, and restore the cap`;
    case "replace-by-nothing":
      return "replace it with a transfer of nothing to the relayer itself, which uses its nonce; nothing is given up, since it can never be signed";
    case "cancel":
      return step.discards ? "cancel it, which gives up its payment" : "cancel it; it transfers nothing";
    case "resume":
      return "resume the relayer";
    case "fund":
      return `send ${formatAmount(step.amount, coin)} or more to ${address ?? "the relayer"}`;
    case "wait-for-market":
      return `wait until the market reaches ${feeList(step.needed)
        .map(([member, fee]) => `${priceText(fee)} (${member})`)
        .join(" and ")}`;
    case "restart-service":
      return "ask the operator of the service to restart it";
    case "repair":
      return "check why the relayer is disabled, or its node does not respond";
    case "other-node":
      return step.setting ? "set the URL of another node" : "ask another node";
  }
}

export function queueStepCommand(step: QueueStep, place: Pick<StepPlace, "relayerId" | "flags">): string | undefined {
  const argv = queueStepArgv(step, place);
  return argv && commandLine(...argv);
}

export function queueStepArgv(
  step: QueueStep,
  { relayerId, flags }: Pick<StepPlace, "relayerId" | "flags">,
): readonly string[] | undefined {
  const line = (...words: string[]) => [...flags, ...words];
  switch (step.action) {
    case "bump":
      return line("tx", "bump", relayerId, step.id, "--speed", step.speed);
    case "replace-by-nothing":
    case "wait":
      return line("relayers", "unstick", relayerId);
    case "raise-cap":
      return line("relayers", "unstick", relayerId, "--raise-cap");
    case "cancel":
      return line("relayers", "unstick", relayerId, "--cancel");
    case "resume":
      return line("relayers", "resume", relayerId);
    case "repair":
      return line("relayers", "status", relayerId);
    case "other-node":
      return step.setting && line(step.setting.noun, "update", step.setting.id, "--rpc-url", "URL");
    default:
      return undefined;
  }
}
