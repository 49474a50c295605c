import { refuseBumpOfChanged } from "../../chain/bump/send-bump.ts";
import type { Fees } from "../../chain/replacement/fees.ts";
import { predictReplacement } from "../../chain/replacement/predict.ts";
import { respellForRecord } from "../../client/respell.ts";
import { symbolFor } from "../../coins/coin-symbol.ts";
import { readId } from "../../command-support/ids.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { type Currency, currencyOf, isPositive, WEI, wireAmount } from "../../contract/amount.ts";
import { effectTexts } from "../../contract/effect/texts.ts";
import { priceWarnings } from "../../contract/effect.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import { operations } from "../../contract/operations.ts";
import { Problems } from "../../contract/problems.ts";
import { validateBody } from "../../contract/requests/body-problems.ts";
import { replacementSchemas, transactionSchemas } from "../../contract/requests.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import {
  type BodyWords,
  bodyKind,
  kindsOfBody,
  serviceSpelling,
  validateExpiry,
} from "../../contract/transaction/body-kind.ts";
import { DISTINGUISHING_FIELD, type Replacement, TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import { isUnsignedTx, PRICES, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { RelayctlError, unsentError } from "../../errors.ts";
import { exceededLimits, sayExceededLimits } from "../../limits/exceeded-limits.ts";
import type { Row } from "../../message.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import { receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import { alignWidths } from "../../terminal/width.ts";
import { bodyRows, convertedBody, labelOf, ROWS, shownBodyField } from "../../views/transaction/body-rows.ts";
import { hashFacts, hashKept, withHashInError } from "../../views/transaction/hashes.ts";
import { transactionView } from "../../views/transaction/record.ts";
import { type Call, type CommandSyntax, createCommand } from "../command.ts";
import { pendingArguments } from "./arguments.ts";
import {
  type BodyFlags,
  bodyFromFlags,
  defineReplacementBody,
  requireBodyContract,
  type TypedBody,
} from "./body/body-flags.ts";
import { shownReplacementCalls } from "./call/shown-call.ts";
import { type Manner, typedManner } from "./manner.ts";
import { checkRaisedCaps } from "./raised-caps.ts";
import {
  checkByRelayer,
  checkKnownCoin,
  checkRelayerCoin,
  checkRelayerKind,
  type Sending,
  testAccountWarnings,
} from "./relayer-check.ts";
import { foreseeReplacement } from "./replacement/foresee.ts";
import { type ForceFlag, minimumFeesText, refusePredicted } from "./replacement/prediction-words.ts";
import { transactionBefore } from "./replacement/transaction-before.ts";
import {
  defineSimulationFlags,
  SIMULATION_ENDS,
  type Simulating,
  type SimulationFlags,
  validateSimulation,
} from "./simulation/flags.ts";
import {
  type Earlier,
  followWrite,
  type PreparedTransaction,
  performTransaction,
  type TxTarget,
  type WriteContext,
} from "./transaction-write.ts";
import {
  defineWriteWaitFlags,
  WAIT_ENDS,
  type WaitPlan,
  type WriteWaitFlags,
  waitsAfterWrite,
  writeWaitPlan,
} from "./wait/flags.ts";

const WORDS: BodyWords = {
  command: "tx replace",
  noun: "replacement",
  needs: "needs --value (EVM), --transaction (Solana) or --network (Stellar)",
  required: DISTINGUISHING_FIELD,
};

function validateReplacement(problems: Problems, typed: TypedBody, asked: NetworkKind | undefined, now: number) {
  const { body, named, sourceOf, coins } = typed;
  const kind = bodyKind(problems, named, asked, WORDS);
  if (kind) validateBody(problems, replacementSchemas[kind], body, sourceOf, convertedBody(coins));
  validateExpiry(problems, sourceOf("valid_until"), body, { kind, now });
  if (body.data !== undefined && body.data !== "0x" && !named.includes("gas_limit")) {
    problems.add(
      sourceOf("data"),
      `needs --gas-limit: without it the replacement is signed with ${TRANSFER_GAS} gas and fails; --no-gas-limit sends null`,
    );
  }
  return kind;
}

const INHERITED = ["to", "value", "data", "gas_limit"];

function validateInheriting(problems: Problems, typed: TypedBody, now: number): void {
  if (kindsOfBody(typed.named).some((kind) => kind !== "evm")) {
    problems.add("--inherit", "copies the fields of an EVM transaction: --to, --value, --data and --gas-limit");
    return;
  }
  const body = { value: 0, ...typed.body };
  validateReplacement(problems, { ...typed, body, named: [...typed.named, ...INHERITED] }, "evm", now);
}

/** @throws RelayctlError usage if the whole breaks a rule; conflict if there is nothing left to copy */
function inheritedBody(typed: TypedBody, earlier: Earlier, now: number, readCommand: string): JsonObject {
  refuseNoop(earlier, readCommand);
  const copied = INHERITED.filter((field) => !typed.named.includes(field)).map((field) => [
    field,
    copiedValue(field, earlier.data),
  ]);
  const given = copied.filter(([, value]) => value !== null);
  const body = { ...(Object.fromEntries(given) as JsonObject), ...typed.body };
  const problems = new Problems();
  const getSource = (path: string) => (path in typed.body ? typed.sourceOf(path) : `the transaction's ${path}`);
  // The service accepts a value that it returned, even above the interface's u128 (facts 11).
  const validated = typed.named.includes("value") ? body : { ...body, value: 0 };
  validateReplacement(
    problems,
    { ...typed, body: validated, named: [...typed.named, ...Object.keys(body)], sourceOf: getSource },
    "evm",
    now,
  );
  problems.throwIfAny("relayctl tx replace --help");
  return body;
}

function copiedValue(field: string, before: Transaction): JsonValue {
  const value = before[field] ?? null;
  return field === "value" || field === "gas_limit" ? (wireAmount(value) ?? null) : value;
}

/** Refuses to copy from a no-op: a transfer of nothing, with `is_canceled`, or without before v1.6 (facts 5.5). */
function refuseNoop({ data: { id }, state: { cancellation, isNoop } }: Earlier, readCommand: string): void {
  if (cancellation !== "stands" && !isNoop) return;
  const words = cancellation === "stands" ? `the cancellation of ${id} is in progress` : `${id} is a no-op`;
  throw unsentError("conflict", `${words}: its record has no transfer to copy`, {
    hint: readCommand,
    retryable: false,
  });
}

function notReadable(id: string): never {
  throw new RelayctlError("not_found", `transaction ${id} cannot be read, so --inherit has nothing to copy`, {
    because: ["this service has no route for a single transaction; nothing was sent"],
    hint: "relayctl tx replace --help",
  });
}

const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to @treasury";

type Flags = BodyFlags & ForceFlag & SimulationFlags & WriteWaitFlags;

/** `relayctl tx replace <relayer-id> <tx-id>` (interface 4.3). Never sent again once it may have left. */
export const txReplace = createCommand({
  summary: "Replace a pending transaction",
  sends: "once",
  spends: true,
  ends: {
    conflict: "no longer pending, never broadcast if it were sent, or the relayer is paused or disabled",
    ...SIMULATION_ENDS,
    ...WAIT_ENDS,
  },
  examples: [
    `relayctl tx replace ${PENDING} --value 0.25eth --gas-limit 21000 --speed fastest --yes`,
    "relayctl tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --inherit --speed fastest --yes",
    "relayctl tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5 --network mainnet --operations payment.json --memo text:refund --curl",
  ],
  resource: transactionView,
  waits: waitsAfterWrite,
  args: pendingArguments("replaced"),
  readsFirst: ({ flags }: { flags: Flags }) => readsFirst(flags),
  description: `Replace a pending transaction. The body is exactly what you specify: without --inherit, nothing is copied from the earlier version. Once signed, the earlier version ${effectTexts.staysValid}.`,
  define: defineReplace,
  interview: async (call) => (await import("./interview/send.ts")).replaceTxInterview(call),
  prepare: prepareReplace,
  run: async (call, replacing) => {
    await checkRaisedCaps(call, [replacing.relayerId], false);
    return await sendReplacement(call, replacing);
  },
});

function defineReplace(command: CommandSyntax) {
  return command
    .include(defineReplacementBody)
    .option(...LOST_LINES)
    .include(defineSimulationFlags)
    .include(defineWriteWaitFlags);
}

async function prepareReplace(call: Call<Flags>, problems: Problems): Promise<Replacing> {
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const id = await readId(call, problems, "tx-id", call.args[1]);
  const { networkType: kind, inherit } = call.flags;
  const typed = await bodyFromFlags(call, problems);
  const wait = writeWaitPlan(call, problems);
  const now = call.app.clock.now();
  if (inherit) {
    validateInheriting(problems, typed, now);
    return { relayerId, id, kind: "evm", typed, inherits: true, wait };
  }
  requireBodyContract(problems, call.flags, typed.named);
  const validated = validateReplacement(problems, typed, isNetworkKind(kind) ? kind : undefined, now);
  validateSimulation(call, problems, validated);
  return { relayerId, id, kind: validated, typed, inherits: false, wait };
}

/** Fields that are lost unless specified again: the service copies nothing from the earlier version (facts 5.4). */
const LOST_UNLESS_NAMED = ["to", "data"];

function replacementPreview(body: JsonObject, before: Transaction | undefined, coin: Currency, least?: Fees): Row[] {
  if (!before) return alignWidths(bodyRows(body, coin));
  const fee = feeRow(body, before, least);
  const keys = ROWS.filter((key) => key in body || (LOST_UNLESS_NAMED.includes(key) && before[key]));
  const rows = keys.map((key) => {
    const shown = (fields: JsonObject) => shownBodyField(key, fields[key], coin);
    return [labelOf(key), shown(before), key in body ? nextText(shown(before), shown(body)) : "removed: not copied"];
  });
  return alignWidths([["", "now", "after"], ...rows, ...fee]);
}

function nextText(now: string, next: string): string {
  return next === now || (/^0x/.test(next) && next.toLowerCase() === now.toLowerCase()) ? "same" : next;
}

/** Returns the price's row without a typed price: the service raises the old one (facts 5.4). */
function feeRow(body: JsonObject, before: Transaction, least: Fees | undefined): string[][] {
  const { gas_price, max_fee_per_gas: fee, max_priority_fee_per_gas: tip } = before;
  if (body.value === undefined || PRICES.some((price) => price in body) || (gas_price ?? fee ?? null) === null)
    return [];
  const old = gas_price ?? null;
  const now = old === null ? `${priceText(fee)}, tip ${priceText(tip)}` : priceText(old);
  return [["fee", now, least ? minimumFeesText(least) : "set by the service, at least 10% more except on rollups"]];
}

function priceText(price: JsonValue | undefined): string {
  return shownBodyField("gas_price", price, WEI);
}

interface Replacing extends TxTarget {
  kind: NetworkKind | undefined;
  typed: TypedBody;
  inherits: boolean;
  wait?: WaitPlan | undefined;
}

type ReplacingFlags = DiffFlag & ForceFlag & SimulationFlags & { inherit?: boolean };

/** Returns whether a dry run reads, too, to copy or simulate. */
function readsFirst({ inherit, simulate }: Pick<ReplacingFlags, "inherit" | "simulate">): boolean {
  return inherit === true || simulate === true;
}

async function sendReplacement(call: Call<ReplacingFlags>, replacing: Replacing): Promise<View> {
  const { relayerId, id, typed } = replacing;
  const reads = readsFirst(call.flags);
  const session = await call.session();
  const manner = typedManner(call);
  await checkKnownCoin(session, { relayerId, coins: typed.coins });
  if (session.reach === "nothing") await validateAlone(session, replacing);
  const performed = await performTransaction<Transaction>(call, {
    verb: "replace",
    relayerId,
    id,
    body: typed.body,
    readsFirst: reads,
    wait: replacing.wait,
    prepare: (surroundings) => prepareReplacement(replacing, surroundings, manner),
  });
  return await followWrite(call, performed);
}

async function validateAlone(session: Session, { relayerId, id, kind, typed }: Replacing): Promise<void> {
  await validateForService(session, { relayerId, kind, ...typed });
  const [{ coin } = { coin: undefined }] = typed.coins;
  const replaces = { id, before: undefined };
  await sayExceededLimits(session, { relayerId, relayer: undefined, kind, body: typed.body, coin, replaces });
}

async function prepareReplacement(
  { relayerId, id, kind, typed, inherits, wait }: Replacing,
  { session, readCommand }: WriteContext,
  manner: Manner,
): Promise<PreparedTransaction<Transaction>> {
  const earlier = await transactionBefore(session, { relayerId, id, verb: "replace" }, readCommand);
  const { data: before, relayer } = earlier ?? {};
  const readRelayer = commandLine(...session.flags, "relayers", "get", relayerId);
  if (relayer) checkRelayerKind(relayer, { relayerId, kind: kind ?? "evm" }, readRelayer);
  const body = inherits
    ? inheritedBody(typed, earlier ?? notReadable(id), session.clock.now(), readCommand)
    : typed.body;
  const replaced = { relayerId, id, kind, body, sourceOf: typed.sourceOf, coins: typed.coins };
  if (earlier) await checkBefore(session, replaced, earlier, manner);
  if (relayer) await checkRelayerCoin(session, relayer, replaced);
  await validateForService(session, replaced, before);
  const foreseen = earlier && (await foreseeReplacement(session, { change: "replace", ...replaced }, earlier, manner));
  const hasCoin = [body.value, before?.value].some(isPositive);
  const symbol = relayer && hasCoin ? await symbolFor(session, relayer) : undefined;
  const [named] = typed.coins;
  const limited = { relayerId, relayer, kind, body, coin: named?.coin };
  const exceeded = await exceededLimits(session, { ...limited, replaces: { id, before } });
  if (!relayer && named)
    await session.say({ note: `the network of ${relayerId} could not be read: ${named.text} is taken as its coin` });
  const warnings = await testAccountWarnings(session, relayer, body);
  const toSimulate = { relayerId, kind, body, nodeUrl: wait?.nodeUrl, before, relayer };
  const simulated = await simulatedRows(session, toSimulate, manner.simulating);
  // The body as the service that returned the transaction spells it.
  const sent = respellForRecord({ operation: operations["tx.replace"], parameters: {}, body }, before);
  return {
    body,
    before: earlier,
    symbol,
    exceeded,
    warnings,
    preview: [
      ...replacementPreview(body, before, currencyOf("evm", symbol), foreseen?.fee),
      ...(manner.isDescribed ? await shownReplacementCalls(session, body, before) : []),
      ...(foreseen?.rows ?? []),
      ...alignWidths(simulated),
    ],
    effects: earlier && [...earlierVersion(earlier), ...priceWarnings(body)],
    followable: foreseen?.followable,
    send: async (client) => {
      // What it inherits may have been canceled or replaced during the question.
      if (inherits && before) refuseBumpOfChanged(before, (await client.tx.get(relayerId, id)).data, INHERITED);
      const sending = client.tx.replace(relayerId, id, sent.body as unknown as Replacement, { before });
      return await withHashInError(sending, before);
    },
    receipt(after) {
      return {
        applied: receiptWords.replaced(session.name, hashFacts(before, after, "the replacement")),
        details: [...earlierVersionNow(after, earlier), ...priceWarnings(body)],
        effects: [...hashMayChange(after, earlier), ...(foreseen?.warnings(after) ?? []), ...hashKept(session, before)],
        next: { follow: readCommand },
      };
    },
  };
}

interface Simulated {
  relayerId: string;
  kind: NetworkKind | undefined;
  body: JsonObject;
  nodeUrl: string | undefined;
  before: Transaction | undefined;
  relayer: Relayer | undefined;
}

async function simulatedRows(
  session: Session,
  { kind, body, before, relayer, ...asked }: Simulated,
  simulating: Simulating | undefined,
): Promise<string[][]> {
  if (kind !== "evm" || !simulating) return [];
  const { simulateCall } = await import("./simulation/simulate-call.ts");
  const from = relayer?.address ?? before?.from;
  // Without a limit, the service signs a replacement with the gas of a transfer (facts 5.4).
  const limited = { ...body, gas_limit: body.gas_limit ?? Number(TRANSFER_GAS) };
  return await simulateCall(session, { ...asked, from, body: limited, nonce: wireAmount(before?.nonce) }, simulating);
}

/** Checks rules that the interface lacks (facts 5.4), and warns unless the record `before` shows the real service. */
async function validateForService(session: Session, { kind, body, sourceOf, coins }: Sending, before?: Transaction) {
  const problems = new Problems();
  if (kind) validateBody(problems, transactionSchemas[kind], serviceSpelling(body), sourceOf, convertedBody(coins));
  if (before && isServiceRecord(before, kind ?? "evm")) problems.throwIfAny("relayctl tx replace --help");
  for (const { where, rule } of problems.found)
    await session.say({ warning: `services up to v1.8 refuse ${where}: ${rule}` });
}

async function checkBefore(
  session: Session,
  replaced: Sending & TxTarget,
  { data: before, state, relayer }: Earlier,
  { isForced }: Manner,
): Promise<void> {
  const { kind = "evm" } = replaced;
  const isLive = {
    note: "the cancellation is in progress: a replacement takes its place, and the transfer is live again",
  };
  if (state.cancellation === "stands") await session.say(isLive);
  if (relayer) checkByRelayer(relayer, { ...replaced, kind }, session.flags);
  else await session.say({ note: "this service cannot return a single relayer; its policies are unknown" });
  if (kind === "evm" && state.status === "pending" && PRICES.every((price) => (before[price] ?? null) === null)) {
    const prediction = predictReplacement({ record: before, change: "replace", isUnraised: false });
    const isPassed = isForced || !isServiceRecord(before, "evm");
    await refusePredicted(session, {
      prediction,
      obstacle: { kind: "unpriced" },
      coin: WEI,
      target: replaced,
      isPassed,
    });
  }
}

const STAYS_VALID = `the earlier version ${effectTexts.staysValid}`;

function earlierVersion({ data, kind }: Earlier): string[] {
  if (typeof data.hash === "string") return [STAYS_VALID];
  return isUnsignedTx(data, kind)
    ? ["the earlier version is not signed yet: unless the service signs it first, it can't be mined"]
    : [];
}

function earlierVersionNow(after: Transaction, earlier: Earlier | undefined): string[] {
  if (!earlier) return [`once signed, ${STAYS_VALID}`];
  if (typeof earlier.data.hash === "string") return [STAYS_VALID];
  return isUnsignedTx(earlier.data, earlier.kind) && txStatus(after) === "pending"
    ? ["the earlier version was never signed: it can't be mined anymore"]
    : [];
}

/** Returns a note that the hash is rarely final if an earlier version was broadcast (facts 15.1, 16.2). */
function hashMayChange({ hash }: Transaction, earlier: Earlier | undefined): string[] {
  const isNew = typeof hash === "string" && hash !== earlier?.data.hash;
  if (!isNew || earlier?.kind !== "evm" || isUnsignedTx(earlier.data, "evm")) return [];
  return ["the hash may change once more before the broadcast (services up to v1.8)"];
}
