import { refuseUnsigned } from "../../../client/needs-signature.ts";
import { apiRequest } from "../../../client/request.ts";
import { askQuestion, checkConsent } from "../../../command-support/consent/consent.ts";
import { questionIn } from "../../../command-support/consent/write-consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { formatAmount, typedAmount } from "../../../contract/amount.ts";
import { counted } from "../../../contract/decimal.ts";
import type { AskedPayments, Payer } from "../../../payments/run/plan.ts";
import type { TopUp } from "../../../payments/top-up/top-up.ts";
import type { Session } from "../../../session/session.ts";
import { aligned } from "../../../terminal/width.ts";
import type { Call } from "../../command.ts";
import { exceededBy } from "../send-many/payer.ts";

export interface Asked extends AskedPayments {
  topUps: readonly TopUp[];
  /** All fees together, about. */
  fees: bigint;
  /** What the purse has, without what is on its way out of it. */
  free: bigint;
  /** What stays in it in any case. */
  least: bigint;
}

/**
 * Asks once for all payments: with `--yes`, or in a protected context and beyond its limits with its name.
 * @param lost what journals lost, which needs the context's name as well
 * @throws RelayctlError declined; usage if there is no journal for the sum of the day
 */
export async function consentToTopUp(
  call: Call,
  session: Session,
  asked: Asked,
  lost: readonly string[],
): Promise<void> {
  const { payer, topUps, sum } = asked;
  const names = new Map(topUps.map(({ row, name }) => [`row ${row}`, name]));
  const beyond = (await exceededBy(call, session, payer, asked)).map((line) =>
    line.replace(/^row \d+/, (row) => names.get(row) ?? row),
  );
  const risks = [...lost, ...beyond];
  refuseUnsigned(apiRequest("tx.send", { relayer_id: payer.relayer.id }), session.approvers);
  await session.requireReason();
  const title = `send ${formatAmount(sum, payer.coin)} from ${payer.relayer.id} in ${counted(asked.payments.length, "top-up")}`;
  const lines = [`${title} in ${session.name}`, ...topUpLines(topUps, payer), ...purseLines(asked), ...risks];
  const isNamed = session.protected || risks.length > 0;
  const question = {
    question: questionIn(session, title),
    act: "topping up",
    sort: isNamed ? { type: session.name } : ("yes" as const),
    risks,
  };
  const { argv } = call;
  const most = argv.some((word) => /^--max-total(=|$)/.test(word)) ? [] : ["--max-total", typedAmount(sum, payer.coin)];
  if (checkConsent({ ...call, argv: [...argv, ...most] }, question) === "given") await writeLines(call, lines);
  else await askQuestion(call, question, lines);
}

/** Returns the table of the addresses that get something. */
function topUpLines(topUps: readonly TopUp[], { coin }: Pick<Payer, "coin">): string[] {
  const shown = (amount: bigint) => formatAmount(amount, coin);
  const rows = topUps.flatMap(({ row, name, balance, pending, amount }) =>
    row === undefined
      ? []
      : [[`  ${name}`, shown(balance), shown(pending), shown(amount), shown(balance + pending + amount)]],
  );
  return aligned([["  TARGET", "BALANCE", "PENDING", "AMOUNT", "AFTER"], ...rows]);
}

function purseLines({ payer: { relayer, coin }, sum, fees, free, least }: Asked): string[] {
  const left = `${formatAmount(free, coin)} → about ${formatAmount(free - sum - fees, coin)}`;
  return aligned([
    ["  fees", `about ${formatAmount(fees, coin)}`],
    [`  ${relayer.id}`, least === 0n ? left : `${left}; it keeps at least ${formatAmount(least, coin)}`],
  ]);
}
