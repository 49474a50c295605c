import { relayerNode } from "../../chain/node/node.ts";
import { symbolFor } from "../../coins/coin-symbol.ts";
import { readId, validateId } from "../../command-support/ids.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { type Currency, currencyOf, formatAmount, isPositive, wireAmount } from "../../contract/amount.ts";
import { firstLines } from "../../contract/decimal.ts";
import { type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { givenTextFlag, Problems } from "../../contract/problems.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { rescueUnlessInterrupted } from "../../errors.ts";
import { exceededLimits, sayExceededLimits } from "../../limits/exceeded-limits.ts";
import { type Fee, outgoingWithoutFee, readBalanceForFee, readFee } from "../../limits/fee.ts";
import type { Row } from "../../message.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import type { OnceFlags } from "../../session/journaling/session-journal.ts";
import { receiptWords } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { escapeText } from "../../terminal/escape.ts";
import type { View } from "../../terminal/view.ts";
import { alignWidths } from "../../terminal/width.ts";
import { FUNDS_TIMEOUT } from "../../timing.ts";
import { bodyItemText, bodyRows, shownBodyField } from "../../views/transaction/body-rows.ts";
import { transactionView } from "../../views/transaction/record.ts";
import { type Call, type CommandSyntax, createCommand } from "../command.ts";
import { senderArgument } from "./arguments.ts";
import { type BodyFlags, bodyFromFlags, defineSentBody, requireBodyContract } from "./body/body-flags.ts";
import { type ShownCall, shownCall, withShownCall } from "./call/shown-call.ts";
import { type Manner, typedManner } from "./manner.ts";
import { checkKnownCoin, relayerToCheck, type Sending, testAccountWarnings } from "./relayer-check.ts";
import {
  defineSimulationFlags,
  SIMULATION_ENDS,
  type Simulating,
  type SimulationFlags,
  validateSimulation,
} from "./simulation/flags.ts";
import { followWrite, type PreparedTransaction, performTransaction, type WriteContext } from "./transaction-write.ts";
import { defineWriteWaitFlags, WAIT_ENDS, type WriteWaitFlags, waitsAfterWrite, writeWaitPlan } from "./wait/flags.ts";

const LONGEST = 200;
const NOT_PRINTABLE = /[^\S ]|[\p{C}\p{DI}]/u;

function defineOnceFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Repeated runs")
    .option("--once <key>", "Send at most once; a rerun reports the first transaction")
    .option("--state <folder>", "Keep the keys in this folder (default: in the journal)");
}

function onceKey({ once, state }: OnceFlags, problems: Problems): string | undefined {
  const rule = once === undefined ? undefined : keyProblem(once);
  if (rule) problems.add("--once", rule, once);
  if (state !== undefined && once === undefined) problems.add("--state", "has no effect without --once");
  if (state === "") problems.add("--state", "is empty");
  return once?.normalize();
}

function keyProblem(key: string): string | undefined {
  if (key.trim() === "") return "is empty";
  if (NOT_PRINTABLE.test(key)) return "must consist of printable characters";
  return [...key].length > LONGEST ? `must have at most ${LONGEST} characters` : undefined;
}

type Flags = BodyFlags & SimulationFlags & WriteWaitFlags & OnceFlags;

const PAYMENT = "eth-main-1 --to @treasury --value 0.01eth";

/** `relayctl tx send <relayer-id>` (facts 5.3, 5.7, 5.8). Never sent again once it may have left. */
export const txSend = createCommand({
  summary: "Send a transaction",
  sends: "once",
  spends: true,
  ends: {
    conflict: "the relayer is paused or disabled",
    io: "--once, and the journal lost lines",
    ...SIMULATION_ENDS,
    ...WAIT_ENDS,
  },
  examples: [
    `relayctl tx send ${PAYMENT} --speed fast -y`,
    `relayctl tx send ${PAYMENT} --max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei --dry-run`,
    "relayctl tx send xlm-treasury --network mainnet --operations payment.json --memo text:invoice-7 --curl",
  ],
  resource: transactionView,
  waits: waitsAfterWrite,
  args: [{ ...senderArgument, description: "ID of the relayer that sends the transaction" }],
  readsFirst: ({ flags }: { flags: Flags }) => flags.simulate === true || flags.toRelayer !== undefined,
  description:
    "Send a transaction. The relayer is read first: a body of another kind, a paused relayer, a forbidden receiver, or an amount above the balance is rejected before anything is sent. The response means that the transaction is queued, not mined.",
  define: defineSend,
  interview: async (call) => (await import("./interview/send.ts")).sendTxInterview(call),
  prepare: prepareSend,
  run: runSend,
});

function defineSend(command: CommandSyntax) {
  return command
    .include(defineSentBody)
    .include(defineSimulationFlags)
    .include(defineOnceFlags)
    .option(...LOST_LINES)
    .include(defineWriteWaitFlags);
}

async function runSend(call: Call<Flags>, sending: Sending): Promise<View> {
  const { toRelayer } = call.flags;
  if (toRelayer === undefined) return await sendTransaction(call, sending);
  const { sendBodyWithReceiver } = await import("./body/send-body.ts");
  const withReceiver = await rescueUnlessInterrupted(sendBodyWithReceiver(call, sending, toRelayer), async (unread) => {
    if (sending.once === undefined || ["usage", "not_found"].includes(unread.failure)) throw unread;
    const first = await (await import("./once/send-once.ts")).readFirstIntent(call, sending.once);
    if (!first) throw unread;
    const { to } = objectIn(first.body);
    const then = to === undefined ? "" : `, ${to}`;
    await call.say({
      warning: `--to-relayer ${toRelayer} is not compared with the first run's receiver${then}: ${unread.message}`,
    });
    return { ...sending, body: { ...sending.body, to: to ?? toRelayer }, unread };
  });
  return await sendTransaction(call, withReceiver);
}

async function prepareSend(call: Call<Flags>, problems: Problems): Promise<Sending> {
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const { networkType: asked, to, toRelayer } = call.flags;
  if (toRelayer !== undefined) validateId(problems, "--to-relayer", toRelayer);
  if (toRelayer !== undefined && to !== undefined) problems.add("--to-relayer", "cannot be combined with --to");
  const typed = await bodyFromFlags(call, problems, givenTextFlag);
  requireBodyContract(problems, call.flags, typed.named);
  // zod is slow to load, and help does not need it.
  const { validateSendBody } = await import("./body/send-body.ts");
  const validated = validateSendBody(problems, typed, isNetworkKind(asked) ? asked : undefined, call.app.clock.now());
  validateSimulation(call, problems, validated.kind);
  const wait = writeWaitPlan(call, problems);
  const once = onceKey(call.flags, problems);
  return { relayerId, ...validated, sourceOf: typed.sourceOf, coins: typed.coins, wait, once };
}

type Funds = NonNullable<Awaited<ReturnType<typeof fundsFor>>>;

/** The service would accept it, and block later ones. The fee is only estimated if shown. @throws usage */
async function fundsFor(session: Session, relayer: Relayer, sending: Sending, isShown: boolean) {
  const { kind, body } = sending;
  if (!kind) return undefined;
  const outgoing = outgoingWithoutFee(kind, body, relayer.address);
  if (!isShown && !("amount" in outgoing && outgoing.amount > 0n)) return undefined;
  const balance = await readBalanceForFee(session, relayer.id);
  if (balance === undefined) return undefined;
  const client = session.briefly(FUNDS_TIMEOUT);
  const node = isShown ? relayerNode(client.relayers, relayer.id) : undefined;
  const fee = await readFee({ kind, body, relayer, node });
  const left = balanceLeft({ balance, outgoing, fee });
  if (!isShown && left !== undefined && left >= 0n) return undefined;
  const funds = { balance, coin: currencyOf(kind, await symbolFor(session, relayer)), outgoing, fee };
  await refuseUncovered(session, funds, sending);
  if (left !== undefined && left < 0n) await session.say({ warning: shortageText(funds) });
  return funds;
}

async function refuseUncovered(session: Session, { balance, coin, outgoing }: Funds, { relayerId, sourceOf }: Sending) {
  if (!("amount" in outgoing) || outgoing.amount <= balance) return;
  const problems = new Problems();
  const rule = `is more than the balance of ${relayerId}, ${formatAmount(balance, coin)}`;
  problems.add(sourceOf(outgoing.path), rule, formatAmount(outgoing.amount, coin));
  problems.throwIfAny(commandLine(...session.flags, "relayers", "balance", relayerId));
}

function fundsRows(funds: Funds | undefined): string[][] {
  if (!funds) return [];
  const { fee, coin } = funds;
  const { words } = fee ?? {};
  return [
    ["fee", fee ? feeAmount(fee, coin) : "set by the service", ...(words === undefined ? [] : [words])],
    ["balance", balanceText(funds)],
  ];
}

function balanceText(funds: Funds): string {
  const { balance, coin, outgoing, fee } = funds;
  const now = formatAmount(balance, coin);
  const left = balanceLeft(funds) ?? 0n;
  if ("unknown" in outgoing) return `${now}; what is left is not known: ${outgoing.unknown}`;
  if (left < 0n) return `${now}; not enough for the fee`;
  const after = formatAmount(left, coin);
  if (!fee) return `${now} → ${after}, less the fee`;
  return `${now} → ${fee.bound === "at most" ? "at least" : "about"} ${after}`;
}

function shortageText(funds: Funds): string {
  const { balance, coin } = funds;
  return `the amount and the fee, ${feeText(funds)}, are more than the balance, ${formatAmount(balance, coin)}`;
}

function feeText({ fee, coin }: Pick<Funds, "fee" | "coin">): string {
  if (!fee) return "set by the service";
  return `${feeAmount(fee, coin)}${fee.words === undefined ? "" : ` (${fee.words})`}`;
}

function feeAmount({ bound, amount }: Fee, coin: Currency): string {
  return `${bound} ${formatAmount(amount, coin)}`;
}

function balanceLeft({ balance, outgoing, fee }: Pick<Funds, "balance" | "outgoing" | "fee">): bigint | undefined {
  return "amount" in outgoing ? balance - outgoing.amount - (fee?.amount ?? 0n) : undefined;
}

/** Sends a transaction. No idempotency key: once the request may have left, it is never sent again (facts 5.3). */
async function sendTransaction(call: Call<DiffFlag & SimulationFlags & { toRelayer?: string }>, sending: Sending) {
  const session = await call.session();
  const { relayerId, body, wait } = sending;
  if (sending.once === undefined) await checkKnownCoin(session, sending);
  const prepare = (surroundings: WriteContext) => prepareSending(sending, surroundings, typedManner(call));
  const readsFirst = call.flags.simulate === true || call.flags.toRelayer !== undefined;
  if (session.reach === "nothing")
    await sayExceededLimits(session, { ...sending, relayer: undefined, coin: sending.coins[0]?.coin });
  const guarded = await createGuard(call, sending);
  const performed = await performTransaction<Transaction>(call, {
    verb: "send",
    relayerId,
    body,
    readsFirst,
    wait,
    guarded,
    prepare,
  });
  return await followWrite(call, performed);
}

async function createGuard(call: Call, sending: Sending) {
  const { once: key, relayerId, body } = sending;
  if (key === undefined) return undefined;
  const { sendOnce } = await import("./once/send-once.ts");
  return (send: () => Promise<View>) =>
    sendOnce(call, { key, relayerId, body }, async () => {
      if (sending.unread) throw sending.unread;
      await checkKnownCoin(await call.session(), sending);
      return await send();
    });
}

async function prepareSending(
  sending: Sending,
  { session }: WriteContext,
  manner: Manner,
): Promise<PreparedTransaction<Transaction>> {
  const { relayerId, body } = sending;
  const relayer = await relayerToCheck(session, sending);
  const funds = await fundsFor(session, relayer.data, sending, manner.isShown);
  const exceeded = await exceededLimits(session, { ...sending, relayer: relayer.data });
  const symbol = isPositive(body.value) ? await symbolFor(session, relayer.data) : undefined;
  const coin = currencyOf("evm", symbol);
  const simulated = await simulatedRows(session, sending, relayer.data, manner.simulating);
  const calls = manner.isDescribed ? await shownCall(session, body) : undefined;
  const warnings = [
    ...(await testAccountWarnings(session, relayer.data, body)),
    ...(manner.isAsked ? await (await import("./stuck/stuck-ahead.ts")).stuckAheadLines(session, relayer.data) : []),
  ];
  const payment = { sending, relayer: relayer.data, symbol, funds, simulated, calls };
  return {
    body,
    title: paymentTitle(payment),
    before: relayer,
    symbol,
    exceeded,
    warnings,
    preview: paymentLines(payment),
    send: (client) => client.tx.send(relayerId, body),
    receipt: (sent) => ({
      applied: receiptWords.sent(session.name, String(sent.id), stateText(sent as Transaction)),
      details: sentLines(body, isQueued(sent as Transaction) ? "queued" : "sent", coin),
      effects: [],
      next: { follow: commandLine(...session.flags, "tx", "get", relayerId, String(sent.id)) },
    }),
  };
}

async function simulatedRows(
  session: Session,
  { relayerId, kind, body, wait }: Sending,
  { address: from }: Relayer,
  simulating: Simulating | undefined,
): Promise<string[][]> {
  if (kind !== "evm" || !simulating) return [];
  const { simulateCall } = await import("./simulation/simulate-call.ts");
  return await simulateCall(session, { relayerId, from, body, nodeUrl: wait?.nodeUrl }, simulating);
}

/** Returns whether a transaction is queued: neither signed nor on the network (facts 5.1). */
function isQueued(sent: Transaction): boolean {
  return txStatus(sent) === "pending" && (sent.hash ?? sent.signature ?? null) === null;
}

function stateText(sent: Transaction): string {
  return `${sent.status ?? "in no known state"}${isQueued(sent) ? ": not signed or broadcast yet" : ""}`;
}

/** The most shown operations, and characters of each; a longer one only shows its type. */
const MOST_OPERATIONS = 5;
const MOST_CHARACTERS = 240;

function sentLines({ value, to, operations: listed }: JsonObject, verb: string, coin: Currency): string[] {
  if (Array.isArray(listed)) return sentOperations(listed, verb);
  return value === undefined
    ? []
    : [
        `${verb}: ${shownBodyField("value", value, coin)}${typeof to === "string" ? ` to ${to}` : to === undefined ? "" : " to a new contract"}`,
      ];
}

function sentOperations(listed: readonly JsonValue[], verb: string): string[] {
  const lines = listed.map((operation) => {
    const text = bodyItemText(operation);
    const type = objectIn(operation).type;
    return `${verb}: ${text.length > MOST_CHARACTERS && typeof type === "string" ? escapeText(type) : text}`;
  });
  return firstLines(lines, MOST_OPERATIONS);
}

interface Payment {
  sending: Pick<Sending, "kind" | "body">;
  relayer: Relayer;
  symbol: string | undefined;
  funds: Funds | undefined;
  simulated: readonly (readonly string[])[];
  calls: ShownCall | undefined;
}

function paymentTitle({ sending: { kind, body }, relayer, symbol }: Payment): string {
  const outgoing = kind && outgoingWithoutFee(kind, body, relayer.address);
  const isPayment = outgoing && "amount" in outgoing && outgoing.amount > 0n;
  const what = isPayment ? formatAmount(outgoing.amount, currencyOf(kind, symbol)) : "a transaction";
  const network = typeof relayer.network === "string" ? ` (${escapeText(relayer.network)})` : "";
  return `send ${what} from ${relayer.id}${network}`;
}

function paymentLines({ sending: { body }, relayer, symbol, funds, simulated, calls }: Payment): Row[] {
  const { value, ...rest } = body;
  const coin = currencyOf("evm", symbol);
  const amount = wireAmount(value);
  const money = [...(amount === undefined ? [] : [["amount", formatAmount(amount, coin)]]), ...fundsRows(funds)];
  const amounts = money.map(([, ...cells]) => cells);
  const texts = alignWidths(amounts, "");
  return alignWidths([
    ...(typeof relayer.address === "string" ? [["from", escapeText(relayer.address)]] : []),
    ...withShownCall(bodyRows(rest, coin), calls),
    ...money.map(([label = ""], index) => [label, texts[index] ?? ""]),
    ...simulated,
  ]);
}
