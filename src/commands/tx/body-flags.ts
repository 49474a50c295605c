import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { placesOf, readBodyFile } from "../../flow/body-file.ts";
import { readJson } from "../../flow/input-file.ts";
import { amountFlag, integerFlag, nullableText, type Problems } from "../../flow/problems.ts";
import type { DiffFlag } from "../../flow/shown.ts";
import type { Call } from "../command.ts";
import { parseMemo } from "./memo-flag.ts";

/** The flags of `tx replace`, as commander names them; amounts as they were typed. False is `--no-x`, which sends null. */
export interface ReplaceFlags extends DiffFlag {
  to?: string;
  value?: string;
  data?: string;
  gasLimit?: string | false;
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  speed?: string;
  validUntil?: string | false;
  transaction?: string;
  network?: string;
  sourceAccount?: string | false;
  operations?: string | false;
  transactionXdr?: string | false;
  memo?: string | false;
  feeBump?: boolean;
  maxFee?: string | false;
  kind?: string;
  file?: string;
  interactive?: true;
}

/** A replacement as it was typed. */
export interface TypedReplacement {
  /** What is sent: the file's members, and the flags over them. Nothing is filled in. */
  body: JsonObject;
  /** Every member that was named, those too whose value could not be read. */
  named: readonly string[];
  /** Where a member was typed, for messages. */
  placeOf(path: string): string;
}

export async function replacementFromFlags(
  { app, flags }: Pick<Call<ReplaceFlags>, "app" | "flags">,
  problems: Problems,
): Promise<TypedReplacement> {
  const file = await readBodyFile(app, flags.file, problems);
  const path = nullableText(problems, "operations", flags.operations);
  const operations = typeof path === "string" ? await problems.gather(() => readJson(app, path)) : path;
  const fromFlags = present({
    ...evmMembers(flags, problems),
    ...stellarMembers(flags, operations, problems),
    ...plainMembers(flags),
  });
  return {
    body: { ...file.members, ...fromFlags },
    named: [...Object.keys(file.members), ...namedBy(flags)],
    placeOf: placesOf(fromFlags, file),
  };
}

type Members = Record<string, JsonValue | undefined>;

function evmMembers(flags: ReplaceFlags, problems: Problems): Members {
  const wei = (flag: string, text: string | undefined) => amountFlag(problems, flag, text, "wei");
  const gas = nullableText(problems, "gas-limit", flags.gasLimit);
  return {
    value: wei("--value", flags.value),
    gas_limit: gas === null ? null : integerFlag(problems, "--gas-limit", gas, "a whole number of gas"),
    gas_price: wei("--gas-price", flags.gasPrice),
    max_fee_per_gas: wei("--max-fee-per-gas", flags.maxFeePerGas),
    max_priority_fee_per_gas: wei("--max-priority-fee-per-gas", flags.maxPriorityFeePerGas),
  };
}

function stellarMembers(flags: ReplaceFlags, operations: JsonValue | undefined, problems: Problems): Members {
  const memo = nullableText(problems, "memo", flags.memo);
  const maxFee = nullableText(problems, "max-fee", flags.maxFee);
  return {
    source_account: nullableText(problems, "source-account", flags.sourceAccount),
    operations,
    transaction_xdr: nullableText(problems, "transaction-xdr", flags.transactionXdr),
    memo: typeof memo === "string" ? parseMemo(problems, memo) : memo,
    fee_bump: flags.feeBump,
    max_fee: typeof maxFee === "string" ? amountFlag(problems, "--max-fee", maxFee, "stroop") : maxFee,
    valid_until: nullableText(problems, "valid-until", flags.validUntil),
  };
}

function plainMembers({ to, data, speed, transaction, network }: ReplaceFlags): Members {
  return { to, data, speed, transaction, network };
}

function present(members: Members): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

const NO_MEMBERS = ["kind", "file", "interactive"];

/** `gasLimit` is the member `gas_limit`. */
function namedBy(flags: ReplaceFlags): string[] {
  const typed = Object.keys(flags).filter((flag) => !NO_MEMBERS.includes(flag));
  return typed.map((flag) => flag.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
