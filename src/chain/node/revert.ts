import { oneLineText } from "../../client/attempt/shown-text.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { jsonRpcErrorIn, nodeErrorCode } from "../../contract/json-rpc.ts";
import { bytesQuantity } from "../evm/quantity.ts";

export interface Revert {
  /** The bytes that it reverted with, as hex in lowercase and at most 64 KiB. */
  data?: string;
  /** The node's message, on one line. */
  message: string;
}

const REVERTED = 3;
/** The code of Nethermind and OpenEthereum for any failure of the virtual machine. */
export const VM_FAILED = -32_015;
/** `execution reverted: …`, `Error: VM Exception while processing transaction: reverted with …`. */
const WORDS = /^(?:Error: )?(?:VM [^:]{0,80}: ?)?(?:execution |transaction )?revert(?:ed)?\b/i;
/** How nodes start the message for an execution that ends without a revert: out of gas, or invalid code. */
const HALT =
  /^(?:EVM error:? ?|VM [^:]{0,80}: ?)?(?:out of gas|OutOfGas|invalid opcode|InvalidFEOpcode|OpcodeNotFound|BadInstruction|stack ?(?:under|over)flow|invalid jump|InvalidJump|write protection|gas uint64 overflow|return data out of bounds)\b/i;
/** Only the bytes, or the bytes after a word: `Reverted 0x…`. */
const DATA = /^(?:revert(?:ed)? )?(0x[0-9a-f]*)$/i;
const MOST_DIGITS = 2 * 2 ** 16;

/** Nodes report a revert with different codes, so message and data count, too. @param hide removes secrets */
export function revertIn(error: JsonObject, hide: (text: string) => string): Revert | undefined {
  const { message, ...rest } = jsonRpcErrorIn(error);
  const code = nodeErrorCode({ message, ...rest });
  const digits = DATA.exec(textIn(error.data))?.[1];
  const data = digits === undefined ? undefined : bytesQuantity(digits.slice(0, 2 + MOST_DIGITS));
  const isRevert = code === REVERTED || code === VM_FAILED || WORDS.test(message) || HALT.test(message);
  if (!isRevert) return undefined;
  // Nethermind's message is in the data: `revert: too late`, `OutOfGas`.
  const words = code === VM_FAILED && data === undefined && typeof error.data === "string" ? error.data : message;
  return { message: oneLineText(hide(words)), ...(data !== undefined && { data }) };
}

/** Returns the text in an error's data. Hardhat's is an object, and Ganache's has one object for each hash. */
function textIn(data: JsonValue | undefined): string {
  if (!isJsonObject(data)) return typeof data === "string" ? data : "";
  if (typeof data.data === "string") return data.data;
  const [found, ...more] = Object.values(data).flatMap((each) =>
    isJsonObject(each) && typeof each.return === "string" ? each.return : [],
  );
  return found !== undefined && more.length === 0 ? found : "";
}
