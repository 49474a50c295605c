import { askConsent, askQuestion, type CheckedConsent } from "../../../command-support/consent/consent.ts";
import { questionIn } from "../../../command-support/consent/write-consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { whyNoPrompt } from "../../../command-support/prompting/prompts.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { shellOf } from "../../../command-support/shell/shell-of.ts";
import { AmountError, formatAmount, parseAmount, typedAmount } from "../../../contract/amount.ts";
import type { Currency } from "../../../contract/currency.ts";
import { counted } from "../../../contract/decimal.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Payment } from "../../../payments/payment.ts";
import type { Call } from "../../command.ts";

/** What is to be paid, and needs consent. */
export interface AskedPayments {
  relayerId: string;
  /** The rows that are sent now. */
  payments: readonly Payment[];
  /** Their sum. */
  sum: bigint;
  /** The sum of the whole file, which includes them. */
  total: bigint;
  coin: Currency;
  /** How the payments go beyond the limits of their context. */
  exceeded: readonly string[];
  /** The rows that may have been sent before, and are sent again. */
  assumed: readonly Payment[];
}

const ACT = "sending payments";

/**
 * Asks for the sum, which is typed, unless `--confirm` has it; in a protected context, and beyond its limits, together with
 * the context's name. A row that may have been sent before needs a question for itself, or `--yes` too.
 * @param lines what is sent
 * @throws RelayctlError declined
 */
export async function consentToPay(
  call: Call,
  session: Session,
  asked: AskedPayments,
  lines: readonly string[],
): Promise<void> {
  await session.requireReason();
  const title = titleOf(asked);
  const consent = checkSum(call, session, asked);
  const shown = [`${title} in ${session.name}`, ...lines, ...asked.exceeded];
  if (consent === "given") await writeLines(call, shown);
  else await askSum(call, session, asked, shown);
  for (const payment of asked.assumed) await askAgain(call, payment, asked.coin);
}

function titleOf({ payments, relayerId, sum, coin }: AskedPayments): string {
  return `pay ${formatAmount(sum, coin)} in ${counted(payments.length, "payment")} from ${relayerId}`;
}

/** Returns the word before the sum: the name of a context that has to be typed as well. */
function contextWord(session: Session, { exceeded }: AskedPayments): string {
  return session.protected || exceeded.length > 0 ? `${session.name} ` : "";
}

/** Returns whether a text confirms the payments: the sum, or that of the whole file, in any spelling. */
function confirms(text: string, session: Session, asked: AskedPayments): boolean {
  const word = contextWord(session, asked);
  if (!text.startsWith(word)) return false;
  try {
    const amount = parseAmount(text.slice(word.length).trim(), asked.coin);
    return amount === asked.sum || amount === asked.total;
  } catch (error) {
    if (error instanceof AmountError) return false;
    throw error;
  }
}

function checkSum(call: Call, session: Session, asked: AskedPayments): CheckedConsent {
  const { app, common, argv } = call;
  if (common.confirm !== undefined && confirms(common.confirm, session, asked)) return "given";
  const why = common.confirm !== undefined ? "--confirm does not match the sum" : whyNoPrompt(app, common);
  if (why === undefined) return "to ask";
  throw new RelayctlError("declined", `${ACT} requires confirmation, and ${why}`, {
    because: [`the sum is ${formatAmount(asked.sum, asked.coin)}`, ...asked.exceeded, "nothing was sent"],
    hint: repeatedCommand(argv, ["--confirm", typedText(session, asked)], shellOf(app.env)),
  });
}

/** Returns what to type: `12.5eth`, or `prod 12.5eth`. */
function typedText(session: Session, asked: AskedPayments): string {
  return `${contextWord(session, asked)}${typedAmount(asked.sum, asked.coin)}`;
}

async function askSum(call: Call, session: Session, asked: AskedPayments, shown: readonly string[]): Promise<void> {
  const text = typedText(session, asked);
  await askQuestion(call, { question: questionIn(session, titleOf(asked)), sort: { type: text } }, shown, (typed) =>
    confirms(typed, session, asked),
  );
}

/** Asks whether a row that may have been sent is sent again. */
async function askAgain(call: Call, { row, to, value }: Payment, coin: Currency): Promise<void> {
  const what = `row ${row}, ${formatAmount(value, coin)} to ${to}`;
  await askConsent(call, {
    question: `Send ${what}, again? It may have been sent before, and would then be paid twice.`,
    act: `sending ${what}, again`,
    sort: "yes",
    risks: ["the row may have been sent before, and would then be paid twice"],
  });
}
