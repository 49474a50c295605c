import { intrinsicGas } from "../../contract/transaction/intrinsic-gas.ts";
import type { SimTransaction } from "./sim-chain.ts";

export interface CallOutcome {
  isReverted: boolean;
  returnData: string;
  /** The node's word: `execution reverted`. */
  error?: string;
}

/** A call, or the part of a transaction that decides what it does. */
export type ContractCall = Pick<SimTransaction, "to" | "data"> & { gas?: bigint | undefined };

/** An address with such an end is an ERC-20 token's, e.g. USDC's, of which everyone holds a million. */
const CONTRACT_ENDS = /(?:c0de|06eb48|a02913)$/i;
const CODE = "0x6080604052";
const SYMBOL = "USDC";
const SUPPLY = 1_000_000_000_000n;

/** The results of known methods, by the first four bytes, with the words of the parameters. */
const METHODS: Readonly<Record<string, (...words: readonly bigint[]) => CallOutcome>> = {
  // totalSupply, balanceOf, allowance, decimals, symbol, approve, transfer, transferFrom, burn.
  "0x18160ddd": () => returnWith(abiWord(SUPPLY)),
  "0x70a08231": () => returnWith(abiWord(SUPPLY)),
  "0xdd62ed3e": () => returnWith(abiWord(0n)),
  "0x313ce567": () => returnWith(abiWord(6n)),
  "0x95d89b41": () => returnWith(`0x${abiWords(32n, BigInt(SYMBOL.length))}${textDigits(SYMBOL)}`),
  "0x095ea7b3": () => TRUE,
  "0xa9059cbb": (_, amount = 0n) => (amount > SUPPLY ? failWith("ERC20: transfer amount exceeds balance") : TRUE),
  "0x23b872dd": (owner, _, amount = 0n) => revertWith(`${NO_ALLOWANCE}${abiWords(owner ?? 0n, 0n, amount)}`),
  "0x42966c68": (amount = 0n) => (amount > SUPPLY ? revertWith(`${PANIC}${abiWords(UNDERFLOW)}`) : TRUE),
};

const TRUE = returnWith(abiWord(1n));
const NO_ALLOWANCE = "0xfb8f41b2";
const PANIC = "0x4e487b71";
const UNDERFLOW = 0x11n;

export function contractCodeAt(address: string): string {
  return CONTRACT_ENDS.test(address) ? CODE : "0x";
}

/** Also fails if its gas does not cover its data (facts 5.3, 5.4). */
export function contractCallOutcome({ to, data, gas }: ContractCall): CallOutcome {
  if (gas !== undefined && gas < intrinsicGas(to ?? undefined, data))
    return { isReverted: true, returnData: "0x", error: "out of gas" };
  if (to === null || contractCodeAt(to) === "0x" || data === "0x") return returnWith("0x");
  const selector = data.slice(0, 10).toLowerCase();
  const run = Object.hasOwn(METHODS, selector) ? METHODS[selector] : undefined;
  return run
    ? run(...(data.slice(10).match(/[0-9a-f]{64}/gi) ?? []).map((each) => BigInt(`0x${each}`)))
    : revertWith("0x");
}

function returnWith(returnData: string): CallOutcome {
  return { isReverted: false, returnData };
}

function revertWith(returnData: string, error = "execution reverted"): CallOutcome {
  return { isReverted: true, returnData, error };
}

function failWith(text: string): CallOutcome {
  const returnData = `0x08c379a0${abiWords(32n, BigInt(text.length))}${textDigits(text)}`;
  return revertWith(returnData, `execution reverted: ${text}`);
}

function textDigits(text: string): string {
  const hex = [...text].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return hex.padEnd(Math.ceil(hex.length / 64) * 64, "0");
}

function abiWord(value: bigint): string {
  return `0x${abiWords(value)}`;
}

function abiWords(...values: readonly bigint[]): string {
  return values.map((value) => value.toString(16).padStart(64, "0")).join("");
}
