import type { Speed } from "../../../chain/evm/fee-history.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { diagnose } from "../../../chain/queue/diagnose.ts";
import type { Diagnosis, Finding, QueueStep } from "../../../chain/queue/diagnosis.ts";
import { type QueueReading, readQueue } from "../../../chain/queue/read-queue.ts";
import { usedWords } from "../../../chain/queue/stuck-words.ts";
import { feesOf, mostPerGas } from "../../../chain/replacement/fees.ts";
import { symbolFor } from "../../../coins/symbol-for.ts";
import { currencyOf, formatAmount, wireAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { statusOf, type Transaction } from "../../../contract/transaction/transaction.ts";
import { usageError } from "../../../errors.ts";
import { type StepPlace, stepCommand, stepText } from "../../../relayer-state/step-words.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { type BlockLine, type Cell, type FactsView, lines } from "../../../terminal/view.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Call } from "../../command.ts";
import { pendingTransactions } from "../../tx/cancel-pending/pending.ts";

export function queueView(found: Diagnosed, place: StepPlace, taken: readonly TakenStep[] = []): FactsView {
  return {
    kind: "facts",
    lines: listBlocks(found, place),
    value: buildResult(found, place, taken),
    name: place.relayerId,
  };
}

function listBlocks(found: Diagnosed, place: StepPlace): BlockLine[] {
  const { diagnosis, evidence, missing, fault } = found;
  const [first, ...others] = diagnosis.findings.filter(({ code }) => code !== "used");
  const isHead = diagnosis.head !== undefined;
  const steps = diagnosis.isStuck === false ? [] : diagnosis.steps;
  return [
    ...lines("relayer", [{ text: place.relayerId }]),
    ...lines("state", [stateCell(found)]),
    ...lines("head", headCells(found, place)),
    ...lines(isHead ? "cause" : "note", first ? findingCells(first, isHead) : []),
    ...lines(
      "also",
      others.flatMap((each) => findingCells(each, isHead && each.nonce === diagnosis.head?.nonce)),
    ),
    ...lines("record", usedCells(diagnosis.findings, evidence.records)),
    ...lines(
      "next",
      steps.map((step, index) => ({ text: `${index === 0 ? "" : "or "}${stepText(step, diagnosis, place)}` })),
    ),
    ...lines(
      "missing",
      [...(fault ? [fault.words] : []), ...missing].map((text) => ({ text })),
    ),
  ];
}

export function blockLines(found: Diagnosed, place: StepPlace): string[] {
  return aligned(listBlocks(found, place).map(({ label, value }) => [label, value.text]));
}

function stateCell({ diagnosis: { isStuck, waiting, head } }: Diagnosed): Cell {
  if (!head) return { text: "nothing is stuck: no transaction waits", tone: "good" };
  const many = `${waiting} ${waiting === 1 ? "transaction is" : "transactions are"} not mined`;
  if (isStuck === undefined) return { text: `not known: by the records, ${many}`, tone: "warn" };
  return isStuck ? { text: `stuck: ${many}`, tone: "bad" } : { text: `nothing is stuck: ${many} yet`, tone: "good" };
}

function headCells({ diagnosis: { head } }: Diagnosed, { coin }: StepPlace): Cell[] {
  if (!head) return [];
  const { nonce, record } = head;
  const at = nonce === undefined ? "no nonce yet" : `nonce ${nonce}`;
  if (!record) return [{ text: `${at}, without an open record` }];
  const value = wireAmount(record.value);
  const amount = value === undefined ? "" : `${formatAmount(value, coin)} to ${record.to ?? "a new contract"}`;
  return [{ text: `${at}, ${statusOf(record)}` }, { text: record.id }, ...(amount === "" ? [] : [{ text: amount }])];
}

function usedCells(findings: readonly Finding[], records: readonly Transaction[]): Cell[] {
  return findings
    .filter(({ code }) => code === "used")
    .map(({ nonce, id }) => {
      const record = records.find((each) => each.id === id);
      const status = record ? statusOf(record) : "something else";
      return { text: usedWords(nonce, status) };
    });
}

const TONES = { fail: "bad", warn: "warn", note: undefined } as const;

function findingCells({ severity, message, nonce, id }: Finding, isOfHead: boolean): Cell[] {
  const isNamed = !isOfHead && nonce !== undefined;
  const text = isNamed ? `nonce ${nonce}: ${message}` : message;
  return [{ text, tone: TONES[severity] }, ...(isNamed && id !== undefined ? [{ text: id }] : [])];
}

export interface TakenStep {
  action: QueueStep["action"];
  nonce: bigint | undefined;
  id: string | undefined;
}

function buildResult(found: Diagnosed, place: StepPlace, taken: readonly TakenStep[]): JsonObject {
  const { diagnosis, evidence, missing, fault } = found;
  const [step, ...others] = diagnosis.isStuck === false ? [] : diagnosis.steps;
  const shown = (each: QueueStep) => buildStep(each, found, place);
  return {
    relayer_id: place.relayerId,
    stuck: diagnosis.isStuck ?? null,
    waiting: diagnosis.waiting,
    nonce: diagnosis.nonce ?? null,
    base_fee: formatText(evidence.chain?.baseFee),
    balance: formatText(evidence.chain?.balance),
    by_record: evidence.chain === undefined,
    head: findHead(found),
    findings: diagnosis.findings.map(({ code, severity, message, nonce, id }) => ({
      code,
      severity,
      nonce: nonce ?? null,
      id: id ?? null,
      message,
    })),
    step: step ? shown(step) : null,
    other_steps: others.map(shown),
    taken: taken.map(({ action, nonce, id }) => ({ action, nonce: nonce ?? null, id: id ?? null })),
    missing: [...(fault ? [fault.words] : []), ...missing],
  };
}

function findHead({ diagnosis: { head } }: Diagnosed): JsonObject | null {
  if (!head) return null;
  const { nonce, record } = head;
  const fees = record && feesOf(record);
  return {
    nonce: nonce ?? null,
    id: record?.id ?? null,
    status: record ? statusOf(record) : null,
    hash: record?.hash ?? null,
    to: record?.to ?? null,
    value: formatText(wireAmount(record?.value)),
    max_fee: fees ? String(mostPerGas(fees)) : null,
    created_at: record?.created_at ?? null,
  };
}

function buildStep(step: QueueStep, { diagnosis }: Diagnosed, place: StepPlace): JsonObject {
  return {
    action: step.action,
    id: "id" in step ? step.id : null,
    discards_payment: step.action === "cancel" && step.discards,
    message: stepText(step, diagnosis, place),
    command: stepCommand(step, place) ?? null,
  };
}

function formatText(amount: bigint | undefined): string | null {
  return amount === undefined ? null : String(amount);
}

export interface QueueRequest {
  relayerId: string;
  nodeUrl: string | undefined;
  speed: Speed | undefined;
}

type Queue = Awaited<ReturnType<typeof openQueue>>;

export interface Diagnosed extends QueueReading {
  diagnosis: Diagnosis;
  queue: Queue;
}

export async function openQueue(call: Call, { relayerId, nodeUrl: url, speed }: QueueRequest) {
  const session = await call.session();
  const { data } = await session.client.relayers.get(relayerId);
  const { network_type: kind } = data;
  if (kind !== undefined && kind !== null && kind !== "evm") {
    const rule = `is a relayer on ${kind}, whose transactions do not wait for each other's nonces: the service neither replaces nor cancels them, and they expire by themselves`;
    throw usageError(
      [{ where: "<id>", rule, given: relayerId }],
      commandLine(...session.flags, "tx", "list", relayerId),
    );
  }
  const chain = await openChain({ client: session.client, relayerId, ownNode: session.ownNode, own: { url } });
  return { session, relayerId, chain, speed };
}

export async function readDiagnosis(call: Call, queue: Queue): Promise<Diagnosed> {
  const { client } = queue.session;
  const reading = await readQueue({
    client,
    ...queue,
    listRecords: (isWanted) => pendingTransactions(client, queue.relayerId, isWanted),
    isDemo: call.common.demo === true,
    now: call.app.clock.now(),
  });
  return { ...reading, diagnosis: diagnose(reading.evidence), queue };
}

export async function stepPlace({ session, relayerId, chain: { relayer } }: Queue): Promise<StepPlace> {
  const address = typeof relayer?.address === "string" ? relayer.address : undefined;
  const coin = currencyOf("evm", relayer && (await symbolFor(session, relayer)));
  return { relayerId, address, flags: session.flags, coin };
}
