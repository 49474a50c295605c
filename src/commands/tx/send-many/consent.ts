import { relayerNode } from "../../../chain/node/node.ts";
import { refuseWithoutSignature } from "../../../client/needs-signature.ts";
import { apiRequest } from "../../../client/request.ts";
import { askConsent, askShowing, consentTitle } from "../../../command-support/consent/consent.ts";
import { amountOr, type Currency, formatAmount, parseAmount, typedAmount } from "../../../contract/amount.ts";
import { groupDigits, pluralize } from "../../../contract/decimal.ts";
import { type JsonObject, writeJson } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { compareWithLimits } from "../../../limits/compare-with-limits.ts";
import { readFee } from "../../../limits/fee.ts";
import type { Message } from "../../../message.ts";
import { payerWarnings } from "../../../payments/file/file-problems.ts";
import { totalRows, totalsOf } from "../../../payments/file/totals.ts";
import type { Payment } from "../../../payments/payment.ts";
import type { AskedPayments, Due, Payer } from "../../../payments/run/running.ts";
import type { Session } from "../../../session/session.ts";
import { alignWidths } from "../../../terminal/width.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { paysInTestCoins } from "../relayer-check.ts";

interface Asked extends AskedPayments {
  exceeded: readonly string[];
}

/**
 * Asks for the sum, unless `--confirm` has it, together with the context's name in a protected context or beyond its
 * limits. A row that may have been sent before needs a separate question, or `--yes`.
 * @param lost what journals lost, which needs the context's name as well
 * @throws RelayctlError declined; usage if there is no journal for the sum of the day
 */
export async function consentToPay(
  call: Call,
  session: Session,
  due: AskedPayments,
  lost: readonly string[],
): Promise<void> {
  const exceeded = new Set([...lost, ...(await paymentLimitsExceeded(session, due.payer, due))]);
  const asked = { ...due, exceeded: [...exceeded] };
  const lines = await consentPayerLines(session, asked);
  refuseWithoutSignature(apiRequest("tx.send", { relayer_id: due.payer.relayer.id }), session.approvers);
  await session.requireReason();
  const title = paymentTitle(asked);
  const question = {
    question: consentTitle(session, title),
    act: "sending payments",
    sort: { type: `${contextWord(session, asked)}${typedAmount(asked.sum, asked.payer.coin)}` },
    accepts: (typed: string) => confirmsTotal(typed, session, asked),
    mismatch: "--confirm does not match the sum",
    risks: [`the sum is ${formatAmount(asked.sum, asked.payer.coin)}`, ...asked.exceeded],
  };
  await askShowing(call, [question], [`${title} in ${session.name}`, ...lines, ...asked.exceeded]);
  for (const payment of asked.assumed) await askAgain(call, payment, asked.payer.coin);
}

function paymentTitle({ payments, payer: { relayer, coin }, sum }: Asked): string {
  return `pay ${formatAmount(sum, coin)} in ${pluralize(payments.length, "payment")} from ${relayer.id}`;
}

function contextWord(session: Session, { exceeded }: Asked): string {
  return session.protected || exceeded.length > 0 ? `${session.name} ` : "";
}

function confirmsTotal(text: string, session: Session, asked: Asked): boolean {
  const word = contextWord(session, asked);
  if (!text.startsWith(word)) return false;
  const amount = amountOr(() => parseAmount(text.slice(word.length).trim(), asked.payer.coin));
  return amount === asked.sum || amount === asked.file.total;
}

async function askAgain(call: Call, { row, to, value }: Payment, coin: Currency): Promise<void> {
  const what = `row ${row}, ${formatAmount(value, coin)} to ${to}`;
  await askConsent(call, {
    question: `Send ${what}, again? It may have been sent before, and would then be paid twice.`,
    act: `sending ${what}, again`,
    sort: "yes",
    risks: ["the row may have been sent before, and would then be paid twice"],
  });
}

export async function consentPayerLines(session: Session, asked: Omit<AskedPayments, "assumed">): Promise<Message[]> {
  const { payer, gas, balance, ...due } = asked;
  const { relayer, coin } = payer;
  const fees = await readFees(session, relayer, due, gas);
  const money = { coin, ...(fees !== undefined && { fees }), ...(balance !== undefined && { balance }) };
  const rows = [
    ["file", due.file.name],
    ["sha256", due.file.sha256],
    ...totalRows(totalsOf(due.payments), money),
    ["gas", `${groupDigits(gas.reduce((sum, each) => sum + each, 0))} in total`],
  ];
  const warnings = await payerWarnings(due.payments, relayer, () => paysInTestCoins(session, relayer));
  return [...alignWidths(rows), ...warnings.map((text) => ({ warning: text }))];
}

const MOST_PRICES = 8;

async function readFees(session: Session, relayer: Relayer, { payments }: Due, gas: readonly number[]) {
  const groups = new Map<string, { request: JsonObject; gas: number }>();
  let index = 0;
  for (const { request } of payments) {
    const key = writeJson(request);
    const sum = (groups.get(key)?.gas ?? 0) + (gas[index++] ?? 0);
    groups.set(key, { request, gas: sum });
  }
  if (groups.size > MOST_PRICES) return undefined;
  const node = relayerNode(session.briefly(FUNDS_TIMEOUT).relayers, relayer.id);
  let fees = 0n;
  for (const { request, gas: sum } of groups.values()) {
    const fee = await readFee({ kind: "evm", body: { ...request, gas_limit: sum }, relayer, node });
    if (!fee) return undefined;
    fees += fee.amount;
  }
  return fees;
}

const MOST_LIMIT_LINES = 10;

/** @throws RelayctlError usage if there is no journal for the sum of the day */
export async function paymentLimitsExceeded(session: Session, { relayer }: Payer, due: Due): Promise<string[]> {
  const { max_per_day: day, ...each } = session.limits;
  const limited = { relayerId: relayer.id, relayer, kind: "evm" as const };
  const lines = new Set<string>();
  if (Object.keys(each).length > 0) {
    const alone = { ...session, limits: each };
    for (const { row, to, value } of due.payments) {
      const found = await compareWithLimits(alone, { ...limited, body: { to, value: String(value) } });
      for (const line of found) if (lines.size < MOST_LIMIT_LINES) lines.add(`row ${row}: ${line}`);
      if (lines.size >= MOST_LIMIT_LINES) break;
    }
  }
  if (!day) return [...lines];
  const together = { ...session, limits: { max_per_day: day } };
  return [...lines, ...(await compareWithLimits(together, { ...limited, body: { value: String(due.sum) } }))];
}
