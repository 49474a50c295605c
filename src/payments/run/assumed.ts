import { type Problem, usageError } from "../../errors.ts";
import { type Payment, type PaymentFile, paymentsOf } from "../payment.ts";
import type { PaymentWorld } from "./payment-world.ts";
import type { Rows } from "./rows.ts";

/**
 * Lets unknown rows count as not sent, as the user said. A row that was found meanwhile is paid, and is not sent again.
 * @returns the payments of the rows that may be sent twice
 * @throws RelayctlError usage for a row that the file does not have
 */
export async function assumedPayments(
  world: Pick<PaymentWorld, "say" | "spelling">,
  { payments }: PaymentFile,
  rows: Rows,
  assumed: readonly number[],
): Promise<readonly Payment[]> {
  const problems: Problem[] = [];
  const found: Payment[] = [];
  const inFile = assumed.filter((row) => row <= payments.length);
  const known = new Map(Array.from(paymentsOf(payments, new Set(inFile)), (payment) => [payment.row, payment]));
  for (const row of assumed) {
    const payment = known.get(row);
    if (!payment) {
      const rule = `the file has ${payments.length} rows`;
      problems.push({ where: world.spelling.assumeNotSent, given: String(row), rule });
      continue;
    }
    const { state, transactionId, hash, held } = rows.get(row);
    if (state === "sent")
      await world.say(`note: row ${row} was sent, as transaction ${transactionId ?? hash}; it is not sent again`);
    else if (state === "unknown" && held !== undefined) await world.say(`note: row ${row} is not sent again: ${held}`);
    else if (state === "unknown") found.push(payment);
  }
  if (problems.length > 0) throw usageError(problems);
  return found;
}
