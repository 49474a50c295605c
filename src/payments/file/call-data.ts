import {
  type Abi,
  AbiError,
  type AbiItem,
  chooseAbiFunction,
  encodeAbiValues,
  readAbiArgument,
} from "../../contract/abi.ts";
import { pluralize } from "../../contract/decimal.ts";

export type ResolveAddress = (typed: string) => { address: string } | { rule: string };

export type CallData = { data: string; isPayable: boolean } | { problems: { argument?: number; rule: string }[] };

export function paymentCallEncoder(
  abi: Abi | undefined,
  addressOf: ResolveAddress,
): (call: string, given: readonly string[]) => CallData {
  const known = new Map<string, AbiItem | string>();
  return (call, given) => {
    const item = known.get(call) ?? chooseFunction(call, abi);
    known.set(call, item);
    return typeof item === "string" ? { problems: [{ rule: item }] } : encodeCall(item, given, addressOf);
  };
}

function chooseFunction(call: string, abi: Abi | undefined): AbiItem | string {
  try {
    return chooseAbiFunction(call, abi);
  } catch (error) {
    if (error instanceof AbiError) return error.message;
    throw error;
  }
}

function encodeCall(item: AbiItem, given: readonly string[], addressOf: ResolveAddress): CallData {
  const { inputs, selector, signature } = item;
  if (given.length !== inputs.length) {
    const columns = inputs.length === 0 ? "" : `: arg1${inputs.length > 1 ? ` to arg${inputs.length}` : ""}`;
    const rule = `${signature} takes ${pluralize(inputs.length, "argument")}${columns}; the row has ${given.length}`;
    return { problems: [{ rule }] };
  }
  const found = inputs.map(({ type }, index) => readAbiArgument(type, given[index] ?? "", addressOf));
  const problems = found.flatMap((each, argument) =>
    "problems" in each
      ? each.problems.map(({ path, rule }) => ({ argument, rule: path ? `${path} ${rule}` : rule }))
      : [],
  );
  if (problems.length > 0) return { problems };
  const values = found.flatMap((each) => ("value" in each ? [each.value] : []));
  return { data: selector + encodeAbiValues(inputs, values).slice(2), isPayable: item.isPayable !== false };
}
