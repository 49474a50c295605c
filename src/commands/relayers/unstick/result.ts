import type { Finding, QueueStep } from "../../../chain/queue/diagnosis.ts";
import { feesOf, mostPerGas } from "../../../chain/replacement/fees.ts";
import { wireAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import { type StepPlace, stepCommand, stepText } from "../../../relayer-state/step-words.ts";
import type { Diagnosed } from "./read-diagnosis.ts";

export interface TakenStep {
  action: QueueStep["action"];
  nonce: bigint | undefined;
  id: string | undefined;
}

/** Returns a diagnosis and the steps that were taken, for scripts. Amounts are digits in wei, and null is not known. */
export function resultOf(found: Diagnosed, place: StepPlace, taken: readonly TakenStep[]): JsonObject {
  const { diagnosis, evidence, missing, fault } = found;
  const [step, ...others] = diagnosis.isStuck === false ? [] : diagnosis.steps;
  const shown = (each: QueueStep) => stepOf(each, found, place);
  return {
    relayer_id: place.relayerId,
    stuck: diagnosis.isStuck ?? null,
    waiting: diagnosis.waiting,
    nonce: diagnosis.nonce ?? null,
    base_fee: textOf(evidence.chain?.baseFee),
    balance: textOf(evidence.chain?.balance),
    by_record: evidence.chain === undefined,
    head: headOf(found),
    findings: diagnosis.findings.map(findingOf),
    step: step ? shown(step) : null,
    other_steps: others.map(shown),
    taken: taken.map(({ action, nonce, id }) => ({ action, nonce: nonce ?? null, id: id ?? null })),
    missing: [...(fault ? [fault.words] : []), ...missing],
  };
}

function headOf({ diagnosis: { head } }: Diagnosed): JsonObject | null {
  if (!head) return null;
  const { nonce, record } = head;
  const fees = record && feesOf(record);
  return {
    nonce: nonce ?? null,
    id: record?.id ?? null,
    status: record ? statusOf(record) : null,
    hash: record?.hash ?? null,
    to: record?.to ?? null,
    value: textOf(wireAmount(record?.value)),
    max_fee: fees ? String(mostPerGas(fees)) : null,
    created_at: record?.created_at ?? null,
  };
}

function findingOf({ code, severity, message, nonce, id }: Finding): JsonObject {
  return { code, severity, nonce: nonce ?? null, id: id ?? null, message };
}

function stepOf(step: QueueStep, { diagnosis }: Diagnosed, place: StepPlace): JsonObject {
  return {
    action: step.action,
    id: "id" in step ? step.id : null,
    discards_payment: step.action === "cancel" && step.discards,
    message: stepText(step, diagnosis, place),
    command: stepCommand(step, place) ?? null,
  };
}

function textOf(amount: bigint | undefined): string | null {
  return amount === undefined ? null : String(amount);
}
