import { wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";

/** The service resends one version at other prices under other hashes. Hex texts are in lowercase. */
export interface Version {
  /** Null for a contract creation. */
  to: string | null;
  value: bigint;
  data: string;
}

/** Returns the version in a record or a request; undefined without a value, e.g. if it is not of EVM. */
export function versionOf({ to, value, data }: { [key: string]: JsonValue | undefined }): Version | undefined {
  const amount = wireAmount(value);
  if (amount === undefined) return undefined;
  return { to: typeof to === "string" && to !== "" ? hexText(to) : null, value: amount, data: hexText(data) };
}

/** The service accepts hex without its prefix, and returns it as given (facts 5.2). */
function hexText(text: JsonValue | undefined): string {
  return `0x${typeof text === "string" ? text.toLowerCase().replace(/^0x/, "") : ""}`;
}

export function isSameVersion(one: Version, other: Version): boolean {
  return one.to === other.to && one.value === other.value && one.data === other.data;
}

/** Returns whether a version only uses up its nonce: it sends nothing to its sender (facts 5.1). */
export function isNoopVersion({ to, value, data }: Version, from: string): boolean {
  return to === from.toLowerCase() && value === 0n && data === "0x";
}
