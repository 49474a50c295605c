import { parseMemo } from "./memo-flag.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../contract/network-kind.ts";
import { readJson, readJsonObject } from "../../flow/input-file.ts";
import { amountFlag, integerFlag, type Problems } from "../../flow/problems.ts";
import type { Call } from "../command.ts";

/** The flags of `tx replace`, as commander names them; amounts as they were typed. */
export interface ReplaceFlags {
  to?: string;
  value?: string;
  data?: string;
  gasLimit?: string | false;
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  speed?: string;
  validUntil?: string;
  transaction?: string;
  network?: string;
  sourceAccount?: string;
  operations?: string;
  transactionXdr?: string;
  memo?: string;
  feeBump?: boolean;
  maxFee?: string;
  kind?: NetworkKind;
  file?: string;
}

/** Which flags, and so which members, belong to one kind alone. */
export const OWN_MEMBERS: Record<NetworkKind, readonly string[]> = {
  evm: ["to", "value", "data", "gas_limit", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "speed"],
  solana: ["transaction"],
  stellar: ["network", "source_account", "operations", "transaction_xdr", "memo", "fee_bump", "max_fee"],
};

/** The body that was typed: a file's members, and the flags over them. Nothing is filled in. */
export async function bodyFromFlags(call: Call<ReplaceFlags>, problems: Problems): Promise<JsonObject> {
  const { flags, app } = call;
  const fromFile = flags.file === undefined ? {} : await readJsonObject(app, flags.file);
  const operations = flags.operations === undefined ? undefined : await readJson(app, flags.operations);
  return { ...fromFile, ...present({ ...evmMembers(flags, problems), ...stellarMembers(flags, operations, problems), ...plainMembers(flags) }) };
}

function evmMembers(flags: ReplaceFlags, problems: Problems): Record<string, JsonValue | undefined> {
  const wei = (flag: string, text: string | undefined) => amountFlag(problems, flag, text, "wei");
  return {
    value: wei("--value", flags.value),
    gas_limit: flags.gasLimit === false ? null : integerFlag(problems, "--gas-limit", flags.gasLimit, "a whole number of gas"),
    gas_price: wei("--gas-price", flags.gasPrice),
    max_fee_per_gas: wei("--max-fee-per-gas", flags.maxFeePerGas),
    max_priority_fee_per_gas: wei("--max-priority-fee-per-gas", flags.maxPriorityFeePerGas),
  };
}

function stellarMembers(flags: ReplaceFlags, operations: JsonValue | undefined, problems: Problems): Record<string, JsonValue | undefined> {
  return {
    operations,
    memo: flags.memo === undefined ? undefined : parseMemo(problems, flags.memo),
    fee_bump: flags.feeBump,
    max_fee: amountFlag(problems, "--max-fee", flags.maxFee, "stroop"),
  };
}

function plainMembers(flags: ReplaceFlags): Record<string, JsonValue | undefined> {
  return {
    to: flags.to,
    data: flags.data,
    speed: flags.speed,
    valid_until: flags.validUntil,
    transaction: flags.transaction,
    network: flags.network,
    source_account: flags.sourceAccount,
    transaction_xdr: flags.transactionXdr,
  };
}

function present(members: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** The kinds that a body's own members speak for. */
export function kindsOf(body: JsonObject): NetworkKind[] {
  return NETWORK_KINDS.filter((kind) => OWN_MEMBERS[kind].some((member) => member in body));
}
