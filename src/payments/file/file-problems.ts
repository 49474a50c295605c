import { formatAmount } from "../../contract/amount.ts";
import { pluralize } from "../../contract/decimal.ts";
import type { JsonObject, TextPosition } from "../../contract/json.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { TEST_ACCOUNT, testAccountsIn } from "../../contract/test-accounts.ts";
import { type Problem, problemText, RelayctlError, usageError } from "../../errors.ts";
import type { About, Payment, PaymentFile, Payments, PlaceText } from "../payment.ts";
import type { Due, Payer, ReadingWorld } from "../run/running.ts";

/** The most problems for a user; `-o json` has the others, too. */
const MOST_SHOWN = 20;
/** A file with more problems has the same mistake in every row; the others are counted. */
const MOST_KEPT = 10_000;
const LONGEST_GIVEN = 100;

export class FileProblems {
  private readonly placeText: PlaceText;
  private readonly found: Problem[] = [];
  private count = 0;

  constructor(placeText: PlaceText) {
    this.placeText = placeText;
  }

  /** Adds a problem with a row, or without `about` with all rows. */
  add(position: TextPosition | undefined, rule: string, about?: About, given?: string): void {
    this.count++;
    if (this.found.length >= MOST_KEPT) return;
    const where = this.placeText(position, about);
    this.found.push({ where, rule, ...(given !== undefined && { given: givenText(given) }) });
  }

  throwIfAny(hint?: string): void {
    const { count, found } = this;
    if (count <= MOST_SHOWN) {
      if (count > 0) throw usageError(found, hint);
      return;
    }
    const kept = count > found.length ? `the first ${pluralize(found.length, "problem")}` : "all of them";
    const more = `and ${pluralize(count - MOST_SHOWN, "more problem")}; -o json lists ${kept}`;
    throw new RelayctlError("usage", `${pluralize(count, "problem")}, nothing was sent`, {
      details: found,
      summary: [...found.slice(0, MOST_SHOWN).map(problemText), more],
      ...(hint !== undefined && { hint }),
    });
  }
}

function givenText(given: string): string {
  if (given === "") return "(empty)";
  return given.length > LONGEST_GIVEN ? `(${given.length} characters)` : given;
}

/** Refuses a file that its relayer can't pay (facts 5.3). @throws RelayctlError usage with all problems */
export function refusePaymentsFor(
  file: PaymentFile,
  { relayer, coin }: Payer,
  balance: bigint | undefined,
  hint: string,
): void {
  const problems = new FileProblems(file.placeText);
  for (const { row, line, to, request } of file.payments) {
    // The run sets the limit of each row.
    const body: JsonObject = { ...request, to, gas_limit: 0 };
    for (const { path, rule, allowed } of relayerRules.evm(body, relayer)) {
      const given = path === "to" ? to : undefined;
      problems.add(
        { line, column: 1 },
        allowed === undefined ? rule : `${rule}; ${allowed}`,
        { row, column: path },
        given,
      );
    }
  }
  if (balance !== undefined && file.total > balance) {
    const rule = `the sum is more than the balance of ${relayer.id}, ${formatAmount(balance, coin)}`;
    problems.add(undefined, rule, undefined, formatAmount(file.total, coin));
  }
  problems.throwIfAny(hint);
}

/** Returns warnings about payments of nothing, to the relayer itself, and to test accounts, without a period. */
export async function payerWarnings(
  payments: Payments,
  { address }: Relayer,
  hasTestCoins: () => Promise<boolean>,
): Promise<string[]> {
  const own = typeof address === "string" ? address.toLowerCase() : undefined;
  const isNothing = ({ value, data }: Payment) => value === 0n && data === undefined;
  const ofNothing = rowWarnings(payments, isNothing, "nothing: the value is 0, without data");
  const toOwn = rowWarnings(payments, ({ to }) => to.toLowerCase() === own, "to the relayer itself");
  const toTest = rowWarnings(payments, (payment) => testAccountsIn(payment).length > 0, `to ${TEST_ACCOUNT}`);
  return [...ofNothing, ...toOwn, ...(toTest.length > 0 && !(await hasTestCoins()) ? toTest : [])];
}

/** Returns a warning about rows that pay something unusual; none without rows. */
function rowWarnings(payments: Payments, isMeant: (payment: Payment) => boolean, what: string): string[] {
  const rows: number[] = [];
  for (const payment of payments) if (isMeant(payment)) rows.push(payment.row);
  const [first] = rows;
  if (first === undefined) return [];
  if (rows.length === 1) return [`row ${first} pays ${what}`];
  return [`${pluralize(rows.length, "row")} pay ${what}; the first is row ${first}`];
}

export async function refuseUnpayableRows(
  world: Pick<ReadingWorld, "balance" | "commandFor">,
  payer: Payer,
  due: Due,
): Promise<bigint | undefined> {
  const balance = await world.balance();
  refusePaymentsFor(
    { ...due.file, payments: due.payments, total: due.sum },
    payer,
    balance,
    world.commandFor("relayers", "get", payer.relayer.id),
  );
  return balance;
}
