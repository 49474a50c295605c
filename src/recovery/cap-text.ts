import { priceText } from "../contract/amount.ts";
import { commandLine } from "../shell/shell-words.ts";

/** Returns a cap as shown. @param cap in wei; undefined if none is set */
export function capText(cap: bigint | undefined): string {
  return cap === undefined ? "not set" : priceText(cap);
}

/** Returns the command that sets a cap back. @param session the flags that choose the server */
export function restoringCommand(
  session: readonly string[],
  { relayerId, from }: { relayerId: string; from: bigint },
): string {
  return commandLine(...session, "relayers", "update", relayerId, "--policy", `gas_price_cap=${from}wei`);
}
