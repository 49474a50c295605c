import type { ChainTransaction } from "./chain.ts";

/** What a call does: nothing runs here, but some calls revert. */
export interface CallOutcome {
  isReverted: boolean;
  /** What the call returns, or the reason of the revert. */
  returnData: string;
}

/** A call, or the part of a transaction that decides what it does. */
export type ContractCall = Pick<ChainTransaction, "to" | "data">;

/** Every address with this end has the same contract: an ERC-20 token of which everyone holds a million. */
const CONTRACT_END = "c0de";
const CODE = "0x6080604052";
const SUPPLY = 1_000_000_000_000n;
const TRUE = word(1n);

/** What a call of each known method returns, by its first four bytes; undefined if it reverts. */
const METHODS: Readonly<Record<string, (amount: bigint) => string | undefined>> = {
  // balanceOf, decimals, transfer.
  "0x70a08231": () => word(SUPPLY),
  "0x313ce567": () => word(6n),
  "0xa9059cbb": (amount) => (amount > SUPPLY ? undefined : TRUE),
};

/** Returns the code of an address. */
export function codeAt(address: string): string {
  return address.toLowerCase().endsWith(CONTRACT_END) ? CODE : "0x";
}

/** Returns what a call does. */
export function outcomeOf({ to, data }: ContractCall): CallOutcome {
  if (to === null || codeAt(to) === "0x" || data === "0x") return { isReverted: false, returnData: "0x" };
  const [selector, amount] = [data.slice(0, 10).toLowerCase(), data.slice(74, 138)];
  const run = Object.hasOwn(METHODS, selector) ? METHODS[selector] : undefined;
  if (!run) return { isReverted: true, returnData: "0x" };
  const returned = run(/^[0-9a-f]{64}$/i.test(amount) ? BigInt(`0x${amount}`) : 0n);
  if (returned !== undefined) return { isReverted: false, returnData: returned };
  return { isReverted: true, returnData: errorText("ERC20: transfer amount exceeds balance") };
}

/** Returns what a transaction does, which also fails if its gas does not pay for its data (facts 5.3, 5.4). */
export function minedOutcome(transaction: ChainTransaction): CallOutcome {
  const { to, data, gas } = transaction;
  const bytes = data.slice(2).match(/../g) ?? [];
  const intrinsic = bytes.reduce((sum, byte) => sum + (byte === "00" ? 4n : 16n), to === null ? 53_000n : 21_000n);
  return gas < intrinsic ? { isReverted: true, returnData: "0x" } : outcomeOf(transaction);
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** Returns Solidity's `Error(string)`. */
function errorText(text: string): string {
  const hex = [...text].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  const padded = hex.padEnd(Math.ceil(hex.length / 64) * 64, "0");
  return `0x08c379a0${word(32n).slice(2)}${word(BigInt(text.length)).slice(2)}${padded}`;
}
