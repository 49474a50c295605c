import { Buffer } from "node:buffer";
import { shownTextLine } from "../../client/attempt/shown-text.ts";
import type { Abi } from "../../contract/abi.ts";

export interface RevertReason {
  kind: RevertKind;
  /** One line, shortened: `ERC20: transfer amount exceeds balance`, `Panic(0x11): arithmetic overflow or underflow`. */
  words: string;
  /** Hex in lowercase; `0x` for none. */
  data: string;
}

export type RevertKind =
  /** Solidity's `Error(string)`: the words are the contract's. */
  | "error"
  /** Solidity's `Panic(uint256)`. */
  | "panic"
  /** An error that the contract defines: the words show its selector, and the data its arguments. */
  | "custom"
  | "empty"
  /** There are no bytes, and the words are the node's, e.g. `out of gas`. */
  | "message"
  | "malformed";

const SELECTOR = 4;
const WORD = 32;
/** The most bytes of a text that are decoded; `oneLine` shows fewer. */
const MOST_TEXT = 8_192;

const ERROR = "0x08c379a0";
const PANIC = "0x4e487b71";

/** The codes of `Panic(uint256)`. */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, "a panic of the compiler"],
  [0x01n, "an assertion failed"],
  [0x11n, "arithmetic overflow or underflow"],
  [0x12n, "division or modulo by zero"],
  [0x21n, "conversion of an invalid value to an enum"],
  [0x22n, "an incorrectly encoded storage byte array"],
  [0x31n, "pop on an empty array"],
  [0x32n, "array index out of bounds"],
  [0x41n, "too much memory allocated"],
  [0x51n, "call of an uninitialized internal function"],
]);

/**
 * Decodes the bytes that a call reverted with. Foreign text is shortened to one line; false offsets and lengths can't
 * read beyond the bytes.
 * @param data hex in lowercase, with its prefix
 * @param message the node's words if there are no bytes, on one line
 */
export function revertReason(data: string, message?: string): RevertReason {
  const bytes = Buffer.from(data.slice(2), "hex");
  if (bytes.length === 0) {
    if (message === undefined) return { kind: "empty", words: "no reason given", data };
    return { kind: "message", words: message, data };
  }
  if (bytes.length < SELECTOR) return { kind: "malformed", words: `${data}, which is not a known form`, data };
  const selector = data.slice(0, 2 + 2 * SELECTOR);
  const parameters = bytes.subarray(SELECTOR);
  if (selector === ERROR) return errorIn(parameters, data);
  if (selector === PANIC) return panicIn(parameters, data);
  return { kind: "custom", words: `custom error ${selector}`, data };
}

function errorIn(parameters: Buffer, data: string): RevertReason {
  const text = textIn(parameters);
  if (text === undefined) return { kind: "malformed", words: "an Error(string) that cannot be decoded", data };
  return { kind: "error", words: shownTextLine(text) || "an empty text", data };
}

/** Returns the text at the offset in the first word; a length beyond the bytes ends with them. */
function textIn(parameters: Buffer): string | undefined {
  const start = numberWithin(wordAt(parameters, 0), parameters.length);
  const length = start === undefined ? undefined : wordAt(parameters, start);
  if (start === undefined || length === undefined) return undefined;
  const rest = parameters.subarray(start + WORD);
  const end = Math.min(numberWithin(length, rest.length) ?? rest.length, MOST_TEXT);
  return new TextDecoder().decode(rest.subarray(0, end));
}

function panicIn(parameters: Buffer, data: string): RevertReason {
  const code = wordAt(parameters, 0);
  if (code === undefined) return { kind: "malformed", words: "a Panic(uint256) that cannot be decoded", data };
  const name = `Panic(0x${code.toString(16).padStart(2, "0")})`;
  const meaning = PANICS.get(code);
  return { kind: "panic", words: meaning === undefined ? name : `${name}: ${meaning}`, data };
}

function wordAt(bytes: Buffer, offset: number): bigint | undefined {
  const word = bytes.subarray(offset, offset + WORD);
  return word.length === WORD ? BigInt(`0x${word.toString("hex")}`) : undefined;
}

function numberWithin(word: bigint | undefined, limit: number): number | undefined {
  return word !== undefined && word <= BigInt(limit) ? Number(word) : undefined;
}

/** Returns the known ABIs besides well-known standards; called only to decode an error. */
export type AbiSource = () => Promise<readonly Abi[]>;

/** Returns the reason with the names of custom errors that an ABI or a standard defines for its selector. */
export async function revertReasonWithAbi(reason: RevertReason, abis?: AbiSource): Promise<RevertReason> {
  if (reason.kind !== "custom") return reason;
  const { abiDecodedText, decodeAbiRevert, standardAbi } = await import("../../contract/abi.ts");
  const found = decodeAbiRevert(reason.data, [standardAbi(), ...((await abis?.()) ?? [])]).filter(
    ({ trailing }) => trailing === 0,
  );
  if (found.length === 0) return reason;
  return { ...reason, words: shownTextLine(found.map((each) => abiDecodedText(each)).join(" or ")) };
}
