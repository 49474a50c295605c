import { pluralize } from "../../contract/decimal.ts";
import { strictUtf8 } from "../../contract/encoding/utf8.ts";
import { MOST_DECIMALS } from "../../contract/erc20.ts";
import type { JsonValue } from "../../contract/json.ts";
import { type ChainNode, nodeFault, type Reading } from "../node/node.ts";
import { hexBytes } from "./quantity.ts";

const BALANCE_OF = "0x70a08231";
const DECIMALS = "0x313ce567";
const SYMBOL = "0x95d89b41";
const WORD = 64;
/** The longest symbol that is read, in bytes; a token with a longer symbol has none. */
const LONGEST_SYMBOL = 16_384;

export async function readErc20Balance(node: ChainNode, token: string, account: string): Promise<Reading<bigint>> {
  return await readWord(node, token, "balanceOf", `${BALANCE_OF}${account.slice(2).toLowerCase().padStart(WORD, "0")}`);
}

export async function readErc20Decimals(node: ChainNode, token: string): Promise<Reading<number>> {
  const found = await readWord(node, token, "decimals", DECIMALS);
  if ("fault" in found || found.value <= MOST_DECIMALS)
    return "fault" in found ? found : { value: Number(found.value) };
  return nodeFault(`decimals of ${token} returned ${found.value}, and ${MOST_DECIMALS} is the most`);
}

/** Reads a token's symbol, which may have any characters; undefined without one. One call. */
export async function readErc20Symbol(node: ChainNode, token: string): Promise<Reading<string | undefined>> {
  const found = await callToken(node, token, SYMBOL);
  if ("fault" in found) return found.fault.kind === "reverted" ? { value: undefined } : found;
  return { value: typeof found.value === "string" ? symbolIn(found.value) : undefined };
}

async function readWord(node: ChainNode, token: string, method: string, data: string): Promise<Reading<bigint>> {
  const found = await callToken(node, token, data);
  if ("fault" in found) return found;
  const digits = hexBytes(found.value)?.slice(2);
  if (digits?.length === WORD) return { value: BigInt(`0x${digits}`) };
  const returned = digits === undefined ? "no bytes" : pluralize(digits.length / 2, "byte");
  return nodeFault(`${method} of ${token} returned ${returned} in place of ${WORD / 2}`);
}

async function callToken(node: ChainNode, to: string, data: string): Promise<Reading<JsonValue>> {
  return await node.ask("eth_call", [{ to, data }, "latest"]);
}

/** Returns the text of a `string`, or of the `bytes32` of older contracts. */
function symbolIn(returned: string): string | undefined {
  const digits = hexBytes(returned)?.slice(2);
  if (digits === undefined || digits.length > 2 * LONGEST_SYMBOL) return undefined;
  if (digits.length === WORD) return decodeText(digits.replace(/(?:00)+$/, ""));
  const [offset, length] = [digits.slice(0, WORD), digits.slice(WORD, 2 * WORD)];
  if (digits.length < 2 * WORD || BigInt(`0x${offset}`) !== 32n) return undefined;
  const end = 2n * BigInt(WORD) + 2n * BigInt(`0x${length}`);
  return end > BigInt(digits.length) ? undefined : decodeText(digits.slice(2 * WORD, Number(end)));
}

function decodeText(digits: string): string | undefined {
  return strictUtf8(Buffer.from(digits, "hex")) || undefined;
}
