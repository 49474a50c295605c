import { resolve } from "node:path";
import type { Files } from "../../../../config/files/files.ts";
import { writeJson } from "../../../../contract/json.ts";
import { type Problem, usageError } from "../../../../errors.ts";
import { didYouMean } from "../../../../nearest.ts";
import { LARGEST_FILE, type ReadingRules, readPayments } from "../../../../payments/file/read-payments.ts";
import type { PaymentFile } from "../../../../payments/payment.ts";
import type { About } from "../../../../payments/place.ts";
import { AS_MEMBERS } from "../../../../payments/spelling.ts";
import type { PaymentSource, PaymentToSend, SendManyOptions } from "./options.ts";
import { COLUMNS, MEMBERS } from "./payment-members.ts";

interface ReadSource {
  file: PaymentFile;
  /** The absolute path of the file; empty for payments that are in none. */
  path: string;
}

/** What payments in no file are called in messages about all of them. */
const NAME = "the list";

/**
 * Reads and validates what is to be paid.
 * @throws RelayctlError usage with all problems
 */
export async function readSource(
  source: PaymentSource,
  { speed, allowDuplicates = false }: SendManyOptions,
  { files, now }: { files: Pick<Files, "read">; now: number },
): Promise<ReadSource> {
  const rules: ReadingRules = {
    defaults: speed === undefined ? {} : { speed },
    now,
    addressOf: () => ({ rule: "is a label, and the library knows none; use its address" }),
    allowDuplicates,
    spelling: AS_MEMBERS,
  };
  if ("payments" in source) {
    const problems = source.payments.flatMap(memberProblems);
    if (problems.length > 0) throw usageError(problems);
    const bytes = Buffer.from(source.payments.map(lineOf).join(""));
    return { file: await readPayments({ name: NAME, bytes, placeText: placeInList }, rules), path: "" };
  }
  const bytes = await files.read(source.file, LARGEST_FILE);
  return { file: await readPayments({ name: source.file, bytes }, rules), path: resolve(source.file) };
}

const AMOUNTS: readonly string[] = ["value", "gasLimit", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"];

function memberProblems(payment: PaymentToSend, index: number): Problem[] {
  if (typeof payment !== "object" || payment === null)
    return [{ where: `payments[${index}]`, rule: "must be an object with to and value" }];
  return Object.entries(payment).flatMap(([member, value]) => {
    const where = `payments[${index}].${member}`;
    const expected = AMOUNTS.includes(member) ? "bigint" : "string";
    if (!MEMBERS.some((each) => each === member))
      return { where, rule: `unknown member${didYouMean([member], MEMBERS)}` };
    // A number of JavaScript may be rounded already.
    return value === undefined || typeof value === expected ? [] : { where, rule: `must be a ${expected}` };
  });
}

/** Returns a payment as a line of NDJSON with its members in one order, so that equal payments have one SHA-256. */
function lineOf(payment: PaymentToSend): string {
  const given = MEMBERS.flatMap((member) => {
    const value = payment[member];
    return value === undefined ? [] : [[COLUMNS[member], value] as const];
  });
  return `${writeJson(Object.fromEntries(given))}\n`;
}

/** Returns a place as a program writes it: `payments[3].gasLimit`. */
function placeInList(_: unknown, about?: About): string {
  if (about === undefined || about === "header") return NAME;
  const member = MEMBERS.find((each) => COLUMNS[each] === about.column);
  return `payments[${about.row - 1}]${member === undefined ? "" : `.${member}`}`;
}
