import { symbolFor } from "../../coins/symbol-for.ts";
import { type DiffFlag, reachOf } from "../../command-support/shown.ts";
import { formatAmount, isPositive, wireAmount } from "../../contract/amount.ts";
import { type Currency, currencyOf } from "../../contract/currency.ts";
import { grouped } from "../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { statusOf } from "../../contract/transaction/transaction-state.ts";
import { outgoingOf } from "../../limits/outgoing.ts";
import { nextWords, receiptWords } from "../../session/receipt-words.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { visible } from "../../terminal/escape.ts";
import type { View } from "../../terminal/view.ts";
import { aligned } from "../../terminal/width.ts";
import { bodyRows, itemText, shownField } from "../../views/transaction/body-rows.ts";
import type { Call } from "../command.ts";
import { type ShownCall, shownCall, withCall } from "./call/shown-call.ts";
import { type Funds, fundsFor, fundsRows } from "./funds/funds.ts";
import { testAccountWarnings } from "./funds/test-accounts.ts";
import { exceededLimits, sayExceeded } from "./limits.ts";
import { refuseUnknownCoin, relayerFor, type Sending } from "./relayer-check.ts";
import { isSimulated, type SimulationFlags } from "./simulation/flags.ts";
import { type PreparedTransaction, performTransaction, type Surroundings } from "./transaction-write.ts";

/** Sends a transaction. No idempotency key: once the request may have left, it is never sent again (facts 5.3). */
export async function sendTransaction(
  call: Call<DiffFlag & SimulationFlags & { toRelayer?: string }>,
  sending: Sending,
): Promise<View> {
  await refuseUnknownCoin(call, sending);
  const { relayerId, body, wait } = sending;
  const prepare = (surroundings: Surroundings) => prepareSending(call, sending, surroundings);
  const readsFirst = call.flags.simulate === true || call.flags.toRelayer !== undefined;
  if (reachOf(call, readsFirst) === "nothing")
    await sayExceeded(call, { ...sending, relayer: undefined, coin: sending.coins[0]?.coin });
  const guarded = await createGuard(call, sending);
  return await performTransaction<Transaction>(call, {
    verb: "send",
    relayerId,
    body,
    readsFirst,
    wait,
    guarded,
    prepare,
  });
}

async function createGuard(call: Call, { once: key, relayerId, body }: Sending) {
  if (key === undefined) return undefined;
  const { sendOnce } = await import("./once/send-once.ts");
  return (send: () => Promise<View>) => sendOnce(call, { key, relayerId, body }, send);
}

async function prepareSending(
  call: Call<DiffFlag & SimulationFlags>,
  sending: Sending,
  { session }: Surroundings,
): Promise<PreparedTransaction<Transaction>> {
  const { relayerId, body } = sending;
  const relayer = await relayerFor(call, sending);
  const funds = await fundsFor(call, relayer.data, sending);
  const exceeded = await exceededLimits(call, { ...sending, relayer: relayer.data });
  const symbol = isPositive(body.value) ? await symbolFor(call, relayer.data) : undefined;
  const coin = currencyOf("evm", symbol);
  const simulated = await simulatedRows(call, sending, relayer.data);
  const calls = await shownCall(call, body);
  const warnings = [
    ...(await testAccountWarnings(call, relayer.data, body)),
    ...(await (await import("./stuck/stuck-ahead.ts")).stuckAheadLines(call, relayer.data)),
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
      next: nextWords.follow(commandLine(...session.flags, "tx", "get", relayerId, String(sent.id))),
    }),
  };
}

async function simulatedRows(
  call: Call<SimulationFlags>,
  { relayerId, kind, body, wait }: Sending,
  { address: from }: Relayer,
): Promise<string[][]> {
  if (kind !== "evm" || !isSimulated(call)) return [];
  const { simulateCall } = await import("./simulation/simulate-call.ts");
  return await simulateCall(call, { relayerId, from, body, nodeUrl: wait?.nodeUrl });
}

/** Returns whether a transaction is queued: neither signed nor on the network (facts 5.1). */
function isQueued(sent: Transaction): boolean {
  return statusOf(sent) === "pending" && (sent.hash ?? sent.signature ?? null) === null;
}

function stateText(sent: Transaction): string {
  return `${sent.status ?? "in no known state"}${isQueued(sent) ? ": not signed or broadcast yet" : ""}`;
}

/** The maximum number of operations shown, and of their characters; of a longer one only the type is shown. */
const MOST_OPERATIONS = 5;
const MOST_CHARACTERS = 240;

function sentLines({ value, to, operations: listed }: JsonObject, verb: string, coin: Currency): string[] {
  if (Array.isArray(listed)) return sentOperations(listed, verb);
  return value === undefined
    ? []
    : [`${verb}: ${shownField("value", value, coin)}${typeof to === "string" ? ` to ${to}` : ""}`];
}

function sentOperations(listed: readonly JsonValue[], verb: string): string[] {
  const more = listed.length - MOST_OPERATIONS;
  const shown = listed.slice(0, MOST_OPERATIONS).map((operation) => {
    const text = itemText(operation);
    const type = isJsonObject(operation) ? operation.type : undefined;
    return `${verb}: ${text.length > MOST_CHARACTERS && typeof type === "string" ? visible(type) : text}`;
  });
  return more > 0 ? [...shown, `and ${grouped(more)} more`] : shown;
}

interface Payment {
  sending: Pick<Sending, "kind" | "body">;
  relayer: Relayer;
  /** Of the network's coin, if known. */
  symbol: string | undefined;
  funds: Funds | undefined;
  simulated: readonly (readonly string[])[];
  calls: ShownCall;
}

function paymentTitle({ sending: { kind, body }, relayer, symbol }: Payment): string {
  const outgoing = kind && outgoingOf(kind, body, relayer.address);
  const isPayment = outgoing && "amount" in outgoing && outgoing.amount > 0n;
  const what = isPayment ? formatAmount(outgoing.amount, currencyOf(kind, symbol)) : "a transaction";
  const network = typeof relayer.network === "string" ? ` (${visible(relayer.network)})` : "";
  return `send ${what} from ${relayer.id}${network}`;
}

function paymentLines({ sending: { body }, relayer, symbol, funds, simulated, calls }: Payment): string[] {
  const { value, ...rest } = body;
  const coin = currencyOf("evm", symbol);
  const amount = wireAmount(value);
  const money = [...(amount === undefined ? [] : [["  amount", formatAmount(amount, coin)]]), ...fundsRows(funds)];
  const texts = aligned(money.map(([, ...cells]) => cells));
  return aligned([
    ...(typeof relayer.address === "string" ? [["  from", visible(relayer.address)]] : []),
    ...withCall(bodyRows(rest, coin), calls),
    ...money.map(([label = ""], index) => [label, texts[index] ?? ""]),
    ...simulated,
  ]);
}
