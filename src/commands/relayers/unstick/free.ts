import { refuseBumpOfChanged } from "../../../chain/bump/send-bump.ts";
import type { Speed } from "../../../chain/evm/fee-history.ts";
import { hexAddress } from "../../../chain/evm/quantity.ts";
import { readNonce } from "../../../chain/evm/read-evm.ts";
import { createPace } from "../../../chain/follow/pace.ts";
import type { Reading } from "../../../chain/node/node.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { diagnoseEvidence } from "../../../chain/queue/diagnose.ts";
import type { Diagnosis, Finding, QueueStep } from "../../../chain/queue/diagnosis.ts";
import { unsentReason } from "../../../chain/queue/head-cause.ts";
import { type QueueReading, readQueue } from "../../../chain/queue/read-queue.ts";
import { usedNonceWords } from "../../../chain/queue/stuck-words.ts";
import { feesOf, mostFeePerGas } from "../../../chain/replacement/fees.ts";
import type { Client } from "../../../client/client.ts";
import { respellForRecord } from "../../../client/respell.ts";
import { symbolFor } from "../../../coins/coin-symbol.ts";
import { firstSetQuestion } from "../../../command-support/bulk/writes.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import { isDryRun } from "../../../command-support/shown.ts";
import { currencyOf, formatAmount, wireAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { operations } from "../../../contract/operations.ts";
import { type Replacement, SPEEDS } from "../../../contract/transaction/replacement-price.ts";
import { isFinal, type Transaction, txStatus } from "../../../contract/transaction/transaction.ts";
import { type Failure, ifFound, RelayctlError, rescue, unsentError, usageError } from "../../../errors.ts";
import type { Row } from "../../../message.ts";
import { queueStepCommand, queueStepText, type StepPlace } from "../../../relayer-state/step-words.ts";
import { sendExclusively } from "../../../session/journaling/exclusive-send.ts";
import { receiptWords } from "../../../session/receipt-words.ts";
import { createStopwatch } from "../../../session/stopwatch.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { type BlockLine, type Cell, type FactsView, type View, viewLines } from "../../../terminal/view.ts";
import { alignWidths } from "../../../terminal/width.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE, RESENT_WITHIN } from "../../../timing.ts";
import { hashFacts, withHashInError } from "../../../views/transaction/hashes.ts";
import type { Call } from "../../command.ts";
import { runBump } from "../../tx/bump/run-bump.ts";
import { cancelTransaction } from "../../tx/cancel.ts";
import { pendingTransactions } from "../../tx/cancel-pending/pending.ts";
import { checkRaisedCaps } from "../../tx/raised-caps.ts";
import { transactionBefore } from "../../tx/replacement/transaction-before.ts";
import { followWrite, performTransaction, type TxTarget } from "../../tx/transaction-write.ts";
import type { UnstickFlags } from "./flags.ts";

/** Helps only the transaction with the chain's next nonce, until none is stuck. @throws conflict; unmet; pending */
async function freeQueue(call: Call<UnstickFlags>, request: QueueRequest): Promise<View> {
  const taken: TakenStep[] = [];
  try {
    return await freeAll(call, request, taken);
  } catch (error) {
    throw taken.length === 0 ? error : afterWrite(error);
  }
}

/** After this many changes before its step, a transaction is only waited for. */
const MOST_CHANGES = 5;

async function freeAll(call: Call<UnstickFlags>, request: QueueRequest, taken: TakenStep[]): Promise<View> {
  let changes = 0;
  let first: Diagnosed | undefined;
  for (;;) {
    const found = await readDiagnosis(call, await openQueue(call, request));
    first ??= found;
    const place = await stepPlace(found.queue);
    if (found.diagnosis.isStuck === false) {
      const open = await findOpen(found, taken);
      if (open) {
        await awaitHead(call, found.queue, open, true);
        continue;
      }
      const view = queueView(found, place, taken);
      return taken.length === 0 ? view : { ...view, receipt: [{ done: freedText(first, found) }] };
    }
    const outcome = await freeHead(call, found, { place, taken });
    if (outcome === "changed" && ++changes < MOST_CHANGES) {
      // For seconds, another run's new transaction waits at no node, and would look stuck (facts 16.2).
      await call.app.clock.sleep(RESENT_WITHIN, call.app.interrupt);
      continue;
    }
    const { head, steps } = found.diagnosis;
    await awaitHead(call, found.queue, { ...head, steps }, taken.length > 0);
  }
}

async function freeHead(
  call: Call<UnstickFlags>,
  found: Diagnosed,
  { place, taken }: { place: StepPlace; taken: TakenStep[] },
): Promise<StepOutcome> {
  const step = chooseStep(found.diagnosis, allowedUnstickSteps(call));
  if (!step) throw stillStuckError(found, place, taken.length > 0);
  // The first step can get its consent before any wait.
  firstSetQuestion(call, found.queue.session, { act: "freeing stuck transactions", title: "" });
  if (taken.length === 0 || canPrompt(call.app, call.common)) await writeLines(call, blockLines(found, place));
  const outcome = await takeStep(call, found, step);
  const { nonce, record } = found.diagnosis.head ?? {};
  if (outcome === "applied") taken.push({ action: step.action, nonce, id: record?.id });
  return outcome;
}

function freedText({ diagnosis: { nonce: from } }: Diagnosed, { diagnosis, queue }: Diagnosed): string {
  const isFree = `${queue.relayerId} in ${queue.session.name} is free again`;
  if (from === undefined || diagnosis.nonce === undefined || diagnosis.nonce <= from) return isFree;
  const after = diagnosis.nonce - from - 1n;
  if (after === 0n) return `${isFree}: nonce ${from} was mined`;
  return `${isFree}: nonce ${from} and the ${after === 1n ? "transaction" : `${after} transactions`} after it were mined`;
}

type OpenTransaction = Partial<Pick<NonNullable<Diagnosis["head"]>, "record" | "nonce"> & Pick<Diagnosis, "steps">>;

/**
 * Returns what a step helped and is still neither mined nor ended, since it does not look stuck right after it was sent.
 * A service without a database loses its records: the chain must have used the nonce.
 * @throws RelayctlError pending
 */
async function findOpen(
  { diagnosis: { nonce: next }, queue: { session, relayerId } }: Diagnosed,
  taken: readonly TakenStep[],
): Promise<OpenTransaction | undefined> {
  const { client, flags } = session;
  for (const { nonce: helped, id } of taken) {
    const isUsed = (nonce: bigint | undefined) => next !== undefined && nonce !== undefined && next > nonce;
    if (isUsed(helped) || id === undefined) continue;
    const found = await ifFound(client.tx.get(relayerId, id));
    const nonce = helped ?? wireAmount(found?.data.nonce);
    if (isUsed(nonce) || (found && isFinal(txStatus(found.data)))) continue;
    if (found) return { record: found.data, nonce };
    const use = next === undefined ? "is not known to be used on the chain" : "is still not used on the chain";
    const rule = `the service does not have transaction ${id} anymore; what it broadcast may still be mined`;
    throw new RelayctlError("pending", `nonce ${nonce ?? "unknown"} of ${relayerId} ${use}`, {
      applied: "yes",
      because: [rule],
      details: [{ where: `${relayerId}/${id}`, given: "not_found", rule }],
      hint: commandLine(...flags, "tx", "list", relayerId),
      retryable: false,
    });
  }
  return undefined;
}

/** Repeats failed reads. @param wrote whether this command's write was applied @throws pending; interrupted */
async function awaitHead(call: Call, queue: Queue, head: OpenTransaction, wrote: boolean): Promise<void> {
  const { record, nonce, steps = [] } = head;
  const { clock, interrupt } = call.app;
  const { session, relayerId, chain } = queue;
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(clock, FOLLOW_DEADLINE);
  const address = hexAddress(chain.relayer?.address);
  const client = session.briefly(DEFAULT_TIMEOUT);
  const cancels = steps[0]?.action === "wait" && steps.some(({ action }) => action === "cancel");
  const stopped = (failure: "pending" | "interrupted", words: string) =>
    new RelayctlError(failure, words, {
      applied: wrote ? "yes" : "no",
      retryable: failure === "pending" && !wrote,
      hint: commandLine(...session.flags, "relayers", "unstick", relayerId, ...(cancels ? ["--cancel"] : [])),
      continues: failure === "interrupted",
      isInterrupted: failure === "interrupted",
    });
  if (nonce === undefined || address === undefined) {
    await clock.sleep(Math.min(RESENT_WITHIN, remaining()), interrupt);
    return refuseIf(remaining() <= 0, () => stopped("pending", `the queue of ${relayerId} is not free yet`));
  }
  await call.say(`waiting until nonce ${nonce} is used on the chain`);
  const pace = createPace(clock);
  for (;;) {
    const next = await readNonce(chain.node, address, "latest");
    if ("value" in next && next.value > nonce) return;
    if (record && (await hasEnded(client.tx, relayerId, record.id))) return;
    if (remaining() <= 0) throw stopped("pending", `nonce ${nonce} of ${relayerId} is still not used on the chain`);
    await clock.sleep(Math.max(0, Math.min(pace(isLimited(next)), remaining())), interrupt);
    if (interrupt.aborted)
      throw stopped("interrupted", `interrupted; nonce ${nonce} of ${relayerId} is not used on the chain yet`);
  }
}

function refuseIf(isOver: boolean, refusal: () => RelayctlError): void {
  if (isOver) throw refusal();
}

function isLimited(reading: Reading<bigint>): boolean {
  return "fault" in reading && reading.fault.kind === "limited";
}

async function hasEnded(tx: Pick<Client["tx"], "get">, relayerId: string, id: string): Promise<boolean> {
  const found = await rescue(tx.get(relayerId, id), (error) => error);
  if (found instanceof RelayctlError && found.failure === "interrupted") throw found;
  if (found instanceof RelayctlError) return found.failure === "not_found";
  const status = txStatus(found.data);
  return isFinal(status) && status !== "confirmed";
}

export async function freeRelayer(call: Call<UnstickFlags>, request: QueueRequest): Promise<View> {
  await checkRaisedCaps(call, [request.relayerId], call.flags.raiseCap === true);
  if (!isDryRun(call)) return await freeQueue(call, request);
  const queue = await openQueue(call, request);
  const found = await readDiagnosis(call, queue);
  const place = await stepPlace(queue);
  if (!call.common.curl) return queueView(found, place);
  await writeLines(call, blockLines(found, place));
  const { diagnosis } = found;
  const step =
    diagnosis.isStuck === false ? ({ action: "wait" } as const) : chooseStep(diagnosis, allowedUnstickSteps(call));
  if (!step) throw stillStuckError(found, place, false);
  if (step.action !== "wait") return await stepView(call, found, step);
  await call.say({ note: `no request would be sent: ${diagnosis.head ? "it would only wait" : "nothing is stuck"}` });
  return { kind: "text", text: "" };
}

/** Returns the error for a head that no allowed step helps. @param wrote whether a write of the command was applied */
function stillStuckError(found: Diagnosed, place: StepPlace, wrote: boolean): RelayctlError {
  const { diagnosis, fault } = found;
  const failing = diagnosis.findings.filter(({ severity }) => severity === "fail");
  const [cause, ...others] = failing.length > 0 ? failing : diagnosis.findings;
  const nonce = diagnosis.head?.nonce;
  const commands = diagnosis.steps.map((step) => queueStepCommand(step, place));
  const ways = diagnosis.steps.map((step, index) => {
    const command = commands[index];
    return `${queueStepText(step, diagnosis, place)}${command === undefined ? "" : `: ${command}`}`;
  });
  const words = cause?.message ?? "the cause of the stuck transactions is unknown";
  return new RelayctlError(wrote ? "unmet" : "conflict", nonce === undefined ? words : `nonce ${nonce}: ${words}`, {
    applied: wrote ? "yes" : "no",
    because: [
      ...others.map(({ message }) => message),
      ...(fault ? [fault.words] : []),
      ...ways,
      ...(wrote ? [] : ["nothing was sent"]),
    ],
    hint:
      commands.find((command) => command !== undefined) ??
      commandLine(...place.flags, "relayers", "unstick", place.relayerId, "--dry-run"),
    retryable: false,
  });
}

/** The possible failures after an applied write. */
const ENDS: readonly Failure[] = ["unmet", "mismatch", "partial", "pending", "unknown", "interrupted", "io"];
/** Failures that another run may not have. */
const PASSING: readonly Failure[] = ["network", "server", "rate_limited", "auth"];

/** Returns the error of a later step or read, after an applied write: no code may say otherwise. */
function afterWrite(error: unknown): unknown {
  if (!(error instanceof RelayctlError)) return error;
  const { failure, message, because, hint, subject } = error;
  if (ENDS.includes(failure)) return error.applied === "no" ? copyWith(error, failure) : error;
  return copyWith(
    new RelayctlError(failure, `an earlier step was applied, but the next one was not: ${message}`, {
      because,
      ...(hint !== undefined && { hint }),
      details: [{ where: failure, rule: message }],
      subject,
      cause: error,
    }),
    PASSING.includes(failure) ? "pending" : "unmet",
  );
}

function copyWith({ message, because, hint, details, subject, cause }: RelayctlError, failure: Failure): RelayctlError {
  return new RelayctlError(failure, message, {
    applied: "yes",
    because,
    details,
    retryable: false,
    ...(hint !== undefined && { hint }),
    subject,
    cause,
  });
}

type StepOutcome = "applied" | "not needed" | "changed";

async function takeStep(call: Call, found: Diagnosed, step: OwnStep): Promise<StepOutcome> {
  if (step.action === "wait") return "not needed";
  try {
    return (await printUnlessQuiet(call, await stepView(call, found, step))) ? "applied" : "not needed";
  } catch (error) {
    const hasChanged = error instanceof RelayctlError && error.failure === "conflict" && error.retryable;
    if (!hasChanged) throw error;
    await call.say({ note: `${error.message}; nothing was sent` });
    return "changed";
  }
}

async function stepView(
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
      const plan = { speed: step.speed, maxFee: undefined, coins: [], repetition: undefined, wait: undefined };
      const raising = step.action === "raise-cap" ? { isKept: false } : undefined;
      const record = diagnosis.head?.record;
      // Another run may have resent it since the diagnosis, with another record.
      const named = record?.id === step.id ? { records: [{ ...target, record }] } : { targets: [target] };
      return await runBump(call, { named, ...plan, raising });
    }
  }
}

async function printUnlessQuiet(call: Call, view: View): Promise<boolean> {
  if (view.kind !== "one") return false;
  const { receipt, failure } = view;
  await sayReceipt(call.say, receipt);
  // A transaction whose broadcast is uncertain may be mined all the same.
  if (failure && failure.failure !== "pending") throw failure;
  return receipt !== undefined;
}

/** Frees the nonce of what can't be signed, where a cancellation leaves a gap (facts 16.3). @throws conflict */
async function replaceByNothing(call: Call, target: TxTarget): Promise<View> {
  const { relayerId, id } = target;
  const performed = await performTransaction<Transaction>(call, {
    verb: "replace",
    ...target,
    readsFirst: true,
    prepare: async ({ session, readCommand }) => {
      const earlier = await transactionBefore(session, { ...target, verb: "replace" }, readCommand);
      const before = earlier?.data;
      const reason = before && unsentReason(before);
      if (!before || reason === undefined || typeof before.from !== "string")
        throw unsentError("conflict", `transaction ${id} has changed since it was read`, {
          hint: readCommand,
          retryable: true,
        });
      const body = nothingFrom(before.from, before);
      const sendUnchanged = async ({ tx }: Client) => {
        const { data: newest } = await tx.get(relayerId, id);
        refuseBumpOfChanged(before, newest);
        return await tx.replace(relayerId, id, sent.body as unknown as Replacement, { before: newest });
      };
      const sent = respellForRecord({ operation: operations["tx.replace"], parameters: {}, body }, before);
      return {
        body,
        before: earlier,
        symbol: undefined,
        preview: alignWidths([
          ["now", `nonce ${String(before.nonce)} to ${before.to ?? "a new contract"}: ${reason}`],
          ["after", `value 0 to ${before.from}, the relayer itself`],
        ]),
        effects: ["nothing is given up: the transaction could never be signed"],
        send: (client) =>
          withHashInError(
            sendExclusively(session, target, () => sendUnchanged(client)),
            before,
          ),
        receipt: (after) => ({
          applied: receiptWords.replaced(session.name, hashFacts(before, after, "the no-op")),
          effects: [],
          next: { follow: readCommand },
        }),
      };
    },
  });
  return await followWrite(call, performed);
}

function nothingFrom(from: string, { speed }: Transaction) {
  return { to: from, value: 0n, gas_limit: 21_000, speed: SPEEDS.find((each) => each === speed) ?? "fast" };
}

type Allowed = Omit<ReturnType<typeof allowedUnstickSteps>, "waits"> & { waits?: boolean };

/** Returns the allowed steps: canceling a payment needs a question, or `--cancel`. */
function allowedUnstickSteps({ app, common, flags }: Call<UnstickFlags>) {
  const isAsked = canPrompt(app, common) && common.yes !== true;
  return {
    cancels: flags.cancel === true || isAsked,
    raisesCap: flags.raiseCap === true,
    waits: flags.cancel !== true,
  };
}

type OwnStep = Extract<QueueStep, { action: "wait" | "bump" | "raise-cap" | "replace-by-nothing" | "cancel" }>;

/** Returns the best allowed step. Raising the cap comes before a bump that the cap may prevent, for other services. */
export function chooseStep({ steps }: Pick<Diagnosis, "steps">, allowed: Allowed): OwnStep | undefined {
  const choices = steps.filter(isOwn).filter((step) => isAllowed(step, allowed));
  const best = choices.find(({ action }) => action === "raise-cap") ?? choices[0];
  // The service may have lost what waits for a signature, and a cancellation is the last choice.
  return best?.action === "wait" && allowed.waits === false ? choices.at(-1) : best;
}

function isOwn(step: QueueStep): step is OwnStep {
  return ["wait", "bump", "raise-cap", "replace-by-nothing", "cancel"].includes(step.action);
}

function isAllowed(step: OwnStep, { cancels, raisesCap }: Allowed): boolean {
  if (step.action === "raise-cap") return raisesCap;
  return step.action !== "cancel" || !step.discards || cancels;
}

function queueView(found: Diagnosed, place: StepPlace, taken: readonly TakenStep[] = []): FactsView {
  return {
    kind: "facts",
    lines: freeLines(found, place),
    value: freeResult(found, place, taken),
    name: place.relayerId,
  };
}

function freeLines(found: Diagnosed, place: StepPlace): BlockLine[] {
  const { diagnosis, evidence, missing, fault } = found;
  const [first, ...others] = diagnosis.findings.filter(({ code }) => code !== "used");
  const isHead = diagnosis.head !== undefined;
  const steps = diagnosis.isStuck === false ? [] : diagnosis.steps;
  return [
    ...viewLines("relayer", [{ text: place.relayerId }]),
    ...viewLines("state", [stateCell(found)]),
    ...viewLines("head", headCells(found, place)),
    ...viewLines(isHead ? "cause" : "note", first ? findingCells(first, isHead) : []),
    ...viewLines(
      "also",
      others.flatMap((each) => findingCells(each, isHead && each.nonce === diagnosis.head?.nonce)),
    ),
    ...viewLines("record", usedCells(diagnosis.findings, evidence.records)),
    ...viewLines(
      "next",
      steps.map((step, index) => ({ text: `${index === 0 ? "" : "or "}${queueStepText(step, diagnosis, place)}` })),
    ),
    ...viewLines(
      "missing",
      [...(fault ? [fault.words] : []), ...missing].map((text) => ({ text })),
    ),
  ];
}

function blockLines(found: Diagnosed, place: StepPlace): Row[] {
  const rows = freeLines(found, place).map(({ label, value }) => [label, value.text]);
  return alignWidths(rows, "");
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
  return [{ text: `${at}, ${txStatus(record)}` }, { text: record.id }, ...(amount === "" ? [] : [{ text: amount }])];
}

function usedCells(findings: readonly Finding[], records: readonly Transaction[]): Cell[] {
  return findings
    .filter(({ code }) => code === "used")
    .map(({ nonce, id }) => {
      const record = records.find((each) => each.id === id);
      const status = record ? txStatus(record) : "something else";
      return { text: usedNonceWords(nonce, status) };
    });
}

const TONES = { fail: "bad", warn: "warn", note: undefined } as const;

function findingCells({ severity, message, nonce, id }: Finding, isOfHead: boolean): Cell[] {
  const isNamed = !isOfHead && nonce !== undefined;
  const text = isNamed ? `nonce ${nonce}: ${message}` : message;
  return [{ text, tone: TONES[severity] }, ...(isNamed && id !== undefined ? [{ text: id }] : [])];
}

interface TakenStep {
  action: QueueStep["action"];
  nonce: bigint | undefined;
  id: string | undefined;
}

function freeResult(found: Diagnosed, place: StepPlace, taken: readonly TakenStep[]): JsonObject {
  const { diagnosis, evidence, missing, fault } = found;
  const [step, ...others] = diagnosis.isStuck === false ? [] : diagnosis.steps;
  const shown = (each: QueueStep) => stepResult(each, found, place);
  return {
    relayer_id: place.relayerId,
    stuck: diagnosis.isStuck ?? null,
    waiting: diagnosis.waiting,
    nonce: diagnosis.nonce ?? null,
    base_fee: amountText(evidence.chain?.baseFee),
    balance: amountText(evidence.chain?.balance),
    by_record: evidence.chain === undefined,
    head: headMembers(found),
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

function headMembers({ diagnosis: { head } }: Diagnosed): JsonObject | null {
  if (!head) return null;
  const { nonce, record } = head;
  const fees = record && feesOf(record);
  return {
    nonce: nonce ?? null,
    id: record?.id ?? null,
    status: record ? txStatus(record) : null,
    hash: record?.hash ?? null,
    to: record?.to ?? null,
    value: amountText(wireAmount(record?.value)),
    max_fee: fees ? String(mostFeePerGas(fees)) : null,
    created_at: record?.created_at ?? null,
  };
}

function stepResult(step: QueueStep, { diagnosis }: Diagnosed, place: StepPlace): JsonObject {
  return {
    action: step.action,
    id: "id" in step ? step.id : null,
    discards_payment: step.action === "cancel" && step.discards,
    message: queueStepText(step, diagnosis, place),
    command: queueStepCommand(step, place) ?? null,
  };
}

function amountText(amount: bigint | undefined): string | null {
  return amount === undefined ? null : String(amount);
}

interface QueueRequest {
  relayerId: string;
  nodeUrl: string | undefined;
  speed: Speed | undefined;
}

type Queue = Awaited<ReturnType<typeof openQueue>>;

interface Diagnosed extends QueueReading {
  diagnosis: Diagnosis;
  queue: Queue;
}

async function openQueue(call: Call, { relayerId, nodeUrl: url, speed }: QueueRequest) {
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

async function readDiagnosis(call: Call, queue: Queue): Promise<Diagnosed> {
  const { client } = queue.session;
  const reading = await readQueue({
    client,
    ...queue,
    listRecords: (isWanted) => pendingTransactions(client, queue.relayerId, isWanted),
    isDemo: call.common.demo === true,
    now: call.app.clock.now(),
  });
  return { ...reading, diagnosis: diagnoseEvidence(reading.evidence), queue };
}

async function stepPlace({ session, relayerId, chain: { relayer } }: Queue): Promise<StepPlace> {
  const address = typeof relayer?.address === "string" ? relayer.address : undefined;
  const coin = currencyOf("evm", relayer && (await symbolFor(session, relayer)));
  return { relayerId, address, flags: session.flags, coin };
}
