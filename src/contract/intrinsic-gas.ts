/**
 * The gas that an EVM transaction costs before anything is run, below which the service refuses a limit (service-facts
 * 5.3, rule 5): 21000, or 53000 where a contract is created, 4 for each zero byte of the data and 16 for each other one.
 */
export function intrinsicGas(to: string | null | undefined, data: string | null | undefined): bigint {
  const bytes = data?.replace(/^0x/i, "").match(/../g) ?? [];
  const zeros = bytes.filter((byte) => byte === "00").length;
  return (to ? 21_000n : 53_000n) + 4n * BigInt(zeros) + 16n * BigInt(bytes.length - zeros);
}
