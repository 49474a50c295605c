import { oneLine } from "../../client/attempt/reply.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { RELAY_CODE } from "../../contract/relay-code.ts";
import { bytesOf, quantity, quantityText } from "../evm/quantity.ts";
import { type ChainNode, type Reading, read } from "../node/node.ts";
import type { SimulatedCall } from "./simulation.ts";

/** What a node shows of a call. */
export interface Ran {
  isReverted: boolean;
  /** What the call returned, or the bytes with which it reverted. */
  data?: string;
  gasUsed?: bigint;
  /** The node's words for why it reverted, besides that it did. */
  message?: string;
}

/** Asks a node what a call would do. @param at the block whose state counts, as the node writes it */
export type Way = (node: ChainNode, call: SimulatedCall, at: string) => Promise<Reading<Ran>>;

/** Asks with `eth_simulateV1`. */
export const bySimulation: Way = async (node, call, at) => {
  const params = [{ blockStateCalls: [{ calls: [callObject(call)] }], validation: false }, at];
  return await read(node, "eth_simulateV1", params, (result) => {
    const block = Array.isArray(result) ? result[0] : undefined;
    const found = isJsonObject(block) && Array.isArray(block.calls) ? block.calls[0] : undefined;
    return isJsonObject(found) ? simulatedIn(found) : undefined;
  });
};

function simulatedIn(found: JsonObject): Ran | undefined {
  const status = quantity(found.status);
  const data = dataOf(found.returnData);
  if (data === undefined || (status !== 0n && status !== 1n)) return undefined;
  if (status === 1n) return { isReverted: false, data, ...gasIn(found) };
  const error = isJsonObject(found.error) ? found.error : {};
  // geth shows the bytes in the error alone.
  const reason = data === "0x" ? (dataOf(error.data) ?? data) : data;
  return { isReverted: true, data: reason, ...gasIn(found), ...messageIn(error.message) };
}

/** Asks with `debug_traceCall`, for the outermost call alone. */
export const byTrace: Way = async (node, call, at) => {
  const tracer = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
  return await read(node, "debug_traceCall", [callObject(call), at, tracer], (frame) => {
    if (!isJsonObject(frame) || typeof frame.type !== "string") return undefined;
    const { error = null, revertReason } = frame;
    const data = dataOf(frame.output ?? "0x");
    if (data === undefined || (error !== null && typeof error !== "string")) return undefined;
    if (error === null) return { isReverted: false, data, ...gasIn(frame) };
    return { isReverted: true, data, ...gasIn(frame), ...messageIn(revertReason ?? error) };
  });
};

/** An account without a meaning, which calls that code. */
const CALLER = "0x00000000000000000000000000000000ca11e400";
/** The gas that the code takes at most, and the share of the rest that a call keeps back (EIP-150). */
const RELAY_GAS = 20_000n;
const KEPT_BACK = 63n;
const WORD_DIGITS = 64;

/** Returns whether the override can be used: a creation has no target, and the code at the sender would call itself. */
export function canOverride({ from, to }: SimulatedCall): boolean {
  return to !== null && to.toLowerCase() !== from.toLowerCase();
}

/** Asks with `eth_call` to the sender's own address, which gets code that makes the call and returns its result. */
export const byOverride: Way = async (node, { from, to, value, data, gas }, at) => {
  const target = (to ?? "0x").slice(2).padStart(WORD_DIGITS, "0");
  const relayed = gas === undefined ? undefined : gas + gas / KEPT_BACK + RELAY_GAS;
  const call = { from: CALLER, to: from, value, data: `0x${target}${data.slice(2)}`, gas: relayed };
  const funded = value > 0n ? { [CALLER]: { balance: quantityText(value) } } : {};
  const params = [callObject(call), at, { [from]: { code: RELAY_CODE }, ...funded }];
  return await read(node, "eth_call", params, (result) => {
    const found = dataOf(result);
    const succeeded = found === undefined ? undefined : quantity(found.slice(0, 2 + WORD_DIGITS));
    // A node that ignores the override returns nothing: there is no code.
    if (found === undefined || found.length < 2 + WORD_DIGITS || (succeeded !== 0n && succeeded !== 1n))
      return undefined;
    return { isReverted: succeeded === 0n, data: `0x${found.slice(2 + WORD_DIGITS)}` };
  });
};

/** Asks with `eth_call`: through the service it shows only whether the call reverts (facts 15.5). */
export const byCall: Way = async (node, call, at) => {
  const found = await read(node, "eth_call", [callObject(call), at], dataOf);
  if ("value" in found) return { value: { isReverted: false, data: found.value } };
  const { kind, revert } = found.fault;
  if (kind !== "reverted") return found;
  const { data, message } = revert ?? {};
  return { value: { isReverted: true, ...(data !== undefined && { data }), ...messageIn(message) } };
};

function callObject({ from, to, value, data, gas }: SimulatedCall): JsonObject {
  return {
    from,
    ...(to !== null && { to }),
    value: quantityText(value),
    data,
    ...(gas !== undefined && { gas: quantityText(gas) }),
  };
}

/** The most bytes that are kept of what a call returns. */
const MOST_BYTES = 2 ** 16;

/** Returns hex bytes in lowercase, cut at the bound; undefined for anything else. */
function dataOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? bytesOf(value.slice(0, 2 + 2 * MOST_BYTES)) : undefined;
}

function gasIn({ gasUsed }: JsonObject): { gasUsed?: bigint } {
  const gas = quantity(gasUsed);
  return gas === undefined ? {} : { gasUsed: gas };
}

/**
 * Returns the words of an error, e.g. `out of gas`, without those that only say that it reverted: Nethermind adds
 * `: revert` if there is no reason, and Hardhat puts the reason into a sentence.
 */
function messageIn(text: JsonValue | undefined): { message?: string } {
  const line = typeof text === "string" ? oneLine(text) : "";
  const words = line.replace(REVERTED, "").replace(/^revert(?:ed)?$/i, "");
  return words === "" || WITHOUT_REASON.test(words) ? {} : { message: REASON.exec(words)?.[1] ?? words };
}

const REVERTED = /^(?:Error: )?(?:VM [^:]{0,80}: ?)?(?:execution |transaction )?revert(?:ed)?\b[: ]*/i;
const REASON = /^with reason string '(.*)'$/i;
const WITHOUT_REASON = /^(?:without a reason\b.*|with an unrecognized custom error\b.*|VM execution error\.)$/i;
