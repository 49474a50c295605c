import type { RevertReason } from "../../chain/simulation/revert-reason.ts";

/** Returns why a call reverted, with the data, never cut, of an error that only its contract can explain. */
export function reasonRows(reason: RevertReason | undefined): { where: string; rule: string }[] {
  if (!reason) return [];
  const data = { where: "revert data", rule: reason.data };
  return [{ where: "reason", rule: reason.words }, ...(isUnexplained(reason) ? [data] : [])];
}

/** Returns why a call reverted as lines: `reason: ERC20: transfer amount exceeds balance`. */
export function reasonLines(reason: RevertReason | undefined): string[] {
  return reasonRows(reason).map(({ where, rule }) => `${where}: ${rule}`);
}

function isUnexplained({ kind }: RevertReason): boolean {
  return kind === "custom" || kind === "malformed";
}
