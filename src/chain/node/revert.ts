import { oneLine } from "../../client/attempt/reply.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { jsonRpcErrorIn, nodeErrorCode } from "../../contract/json-rpc.ts";
import { bytesOf } from "../evm/quantity.ts";

/** What the error of a call that reverted shows. */
export interface Revert {
  /** The bytes with which it reverted, as hex in lowercase and at most 64 KiB; absent if the node does not show them. */
  data?: string;
  /** The node's own words, on one line. */
  message: string;
}

const REVERTED = 3;
/** The code of Nethermind and OpenEthereum for any failure of the virtual machine. */
const VM_FAILED = -32_015;
/** `execution reverted: …`, `VM Exception while processing transaction: revert …`. */
const WORDS = /^(?:VM [^:]{0,80}: ?)?(?:execution )?revert(?:ed)?\b/i;
/** The bytes alone, or after a word: `Reverted 0x…`. */
const DATA = /^(?:revert(?:ed)? )?(0x[0-9a-f]*)$/i;
/** The most digits that are kept of the bytes. */
const MOST_DIGITS = 2 * 2 ** 16;

/**
 * Returns what a node's own error shows of a revert; undefined for any other error. Nodes report a revert with different
 * codes, so its message and data count too.
 * @param hide removes secrets from the node's own words
 */
export function revertIn(error: JsonObject, hide: (text: string) => string): Revert | undefined {
  const { message, ...rest } = jsonRpcErrorIn(error);
  const code = nodeErrorCode({ message, ...rest });
  const data = dataIn(error.data);
  const isRevert = code === REVERTED || WORDS.test(message) || (code === VM_FAILED && data !== undefined);
  return isRevert ? { message: oneLine(hide(message)), ...(data !== undefined && { data }) } : undefined;
}

function dataIn(data: JsonValue | undefined): string | undefined {
  // Hardhat's is an object.
  const text = isJsonObject(data) ? data.data : data;
  const digits = typeof text === "string" ? DATA.exec(text)?.[1] : undefined;
  return digits === undefined ? undefined : bytesOf(digits.slice(0, 2 + MOST_DIGITS));
}
