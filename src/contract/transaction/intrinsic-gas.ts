import { isJsonInteger, type JsonValue } from "../json.ts";
import { TRANSFER_GAS } from "./replacement-price.ts";

interface Call {
  to?: JsonValue;
  data?: JsonValue;
  gas_limit?: JsonValue;
}

/** Returns the error of facts 5.3, rule 5, in the service's words, for a limit below the intrinsic gas. */
export function gasLimitProblem({ to, data, gas_limit: limit }: Call): string | undefined {
  if (!isJsonInteger(limit)) return undefined;
  const least = intrinsicGas(textField(to), textField(data));
  return BigInt(limit) < least
    ? `gas_limit is too low, intrinsic gas is ${least} and gas_limit is ${limit}`
    : undefined;
}

/** Returns the least limit of a transaction with data on a network with EIP-7623 (facts 15.13). */
export function intrinsicFloorGas(data: string): bigint {
  const { zeros, others } = bytesIn(data);
  return TRANSFER_GAS + 10n * zeros + 40n * others;
}

/** Returns 21000, or 53000 for a contract creation, plus 4 for each zero byte of the data and 16 for any other. */
export function intrinsicGas(to: string | undefined, data: string | undefined): bigint {
  const { zeros, others } = bytesIn(data ?? "");
  const creates = to === undefined && data !== undefined;
  return (creates ? 53_000n : TRANSFER_GAS) + 4n * zeros + 16n * others;
}

function bytesIn(data: string): { zeros: bigint; others: bigint } {
  const bytes = data.replace(/^0x/i, "").match(/../g) ?? [];
  const zeros = bytes.filter((byte) => byte === "00").length;
  return { zeros: BigInt(zeros), others: BigInt(bytes.length - zeros) };
}

function textField(field: JsonValue | undefined): string | undefined {
  return typeof field === "string" ? field : undefined;
}
