import { refuseUnsigned } from "../../../client/needs-signature.ts";
import { apiRequest } from "../../../client/request.ts";
import { askConsent, askQuestion, type CheckedConsent } from "../../../command-support/consent/consent.ts";
import { questionIn } from "../../../command-support/consent/write-consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { whyNoPrompt } from "../../../command-support/prompting/prompts.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { AmountError, formatAmount, parseAmount, typedAmount } from "../../../contract/amount.ts";
import type { Currency } from "../../../contract/currency.ts";
import { counted } from "../../../contract/decimal.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Payment } from "../../../payments/payment.ts";
import type { AskedPayments } from "../../../payments/run/plan.ts";
import type { Session } from "../../../session/session.ts";
import { shellOf } from "../../../shell/shell-of.ts";
import type { Call } from "../../command.ts";
import { exceededBy, payerLines } from "./payer.ts";

interface Asked extends AskedPayments {
  exceeded: readonly string[];
}

const ACT = "sending payments";

/**
 * Asks for the sum, which is typed, unless `--confirm` has it; in a protected context, and beyond its limits, together with
 * the context's name. A row that may have been sent before needs a question for itself, or `--yes` too.
 * @param lost what journals lost, which needs the context's name as well
 * @throws RelayctlError declined; usage if there is no journal for the sum of the day
 */
export async function consentToPay(
  call: Call,
  session: Session,
  due: AskedPayments,
  lost: readonly string[],
): Promise<void> {
  const exceeded = new Set([...lost, ...(await exceededBy(call, session, due.payer, due))]);
  const asked = { ...due, exceeded: [...exceeded] };
  const lines = await payerLines(call, session, asked);
  refuseUnsigned(apiRequest("tx.send", { relayer_id: due.payer.relayer.id }), session.approvers);
  await session.requireReason();
  const title = formatTitle(asked);
  const consent = checkSum(call, session, asked);
  const shown = [`${title} in ${session.name}`, ...lines, ...asked.exceeded];
  if (consent === "given") await writeLines(call, shown);
  else await askSum(call, session, asked, shown);
  for (const payment of asked.assumed) await askAgain(call, payment, asked.payer.coin);
}

function formatTitle({ payments, payer: { relayer, coin }, sum }: Asked): string {
  return `pay ${formatAmount(sum, coin)} in ${counted(payments.length, "payment")} from ${relayer.id}`;
}

function contextWord(session: Session, { exceeded }: Asked): string {
  return session.protected || exceeded.length > 0 ? `${session.name} ` : "";
}

function confirms(text: string, session: Session, asked: Asked): boolean {
  const word = contextWord(session, asked);
  if (!text.startsWith(word)) return false;
  try {
    const amount = parseAmount(text.slice(word.length).trim(), asked.payer.coin);
    return amount === asked.sum || amount === asked.file.total;
  } catch (error) {
    if (error instanceof AmountError) return false;
    throw error;
  }
}

function checkSum(call: Call, session: Session, asked: Asked): CheckedConsent {
  const { app, common, argv } = call;
  if (common.confirm !== undefined && confirms(common.confirm, session, asked)) return "given";
  const why = common.confirm !== undefined ? "--confirm does not match the sum" : whyNoPrompt(app, common);
  if (why === undefined) return "to ask";
  throw new RelayctlError("declined", `${ACT} requires confirmation, and ${why}`, {
    because: [`the sum is ${formatAmount(asked.sum, asked.payer.coin)}`, ...asked.exceeded, "nothing was sent"],
    hint: repeatedCommand(argv, ["--confirm", typedText(session, asked)], shellOf(app.env)),
  });
}

function typedText(session: Session, asked: Asked): string {
  return `${contextWord(session, asked)}${typedAmount(asked.sum, asked.payer.coin)}`;
}

async function askSum(call: Call, session: Session, asked: Asked, shown: readonly string[]): Promise<void> {
  const text = typedText(session, asked);
  await askQuestion(call, { question: questionIn(session, formatTitle(asked)), sort: { type: text } }, shown, (typed) =>
    confirms(typed, session, asked),
  );
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
