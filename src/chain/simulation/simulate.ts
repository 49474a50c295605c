import { shownTextLine } from "../../client/attempt/shown-text.ts";
import { isJsonObject, type JsonObject, type JsonValue, listIn, objectIn } from "../../contract/json.ts";
import { RELAY_CODE } from "../../contract/relay-code.ts";
import { hexBytes, parseQuantity, quantityText } from "../evm/quantity.ts";
import { type ChainNode, isNodeSilent, type NodeFault, type Reading, readFromNode } from "../node/node.ts";
import { type AbiSource, type RevertReason, revertReason, revertReasonWithAbi } from "./revert-reason.ts";

/** A call to simulate; it is never sent. Hex texts have their prefix; amounts are in wei. */
export interface SimulatedCall {
  from: string;
  /** Null for a contract creation. */
  to: string | null;
  value: bigint;
  data: string;
  /** The most gas that it may use (default: the node's limit). */
  gas?: bigint | undefined;
}

/** The methods in the order in which they are tried (facts 15.5). */
export type SimulationMethod = "eth_simulateV1" | "debug_traceCall" | "eth_call with override" | "eth_call";

export interface Simulation {
  /** `unknown` if the node shows it in no way. */
  outcome: "succeeded" | "reverted" | "unknown";
  by?: SimulationMethod;
  /** Hex in lowercase, at most 64 KiB; absent if the node does not show it. */
  returnData?: string;
  gasUsed?: bigint;
  /** Why it reverted; absent if the node only shows that it does. */
  reason?: RevertReason;
  /** How the simulated call differs from a real one, on one line (facts 15.13). */
  caveat?: string;
  fault?: NodeFault;
}

interface Ran {
  isReverted: boolean;
  data?: string;
  gasUsed?: bigint;
  /** The node's reason, beyond that it reverted. */
  message?: string;
}

/** Asks a node what a call would do. @param at the block whose state counts, as the node writes it */
type Way = (node: ChainNode, call: SimulatedCall, at: string) => Promise<Reading<Ran>>;

const bySimulation: Way = async (node, call, at) => {
  const params = [{ blockStateCalls: [{ calls: [callObject(call)] }], validation: false }, at];
  return await readFromNode(node, "eth_simulateV1", params, (result) => {
    const block = Array.isArray(result) ? result[0] : undefined;
    const found = listIn(objectIn(block).calls)[0];
    return isJsonObject(found) ? simulatedIn(found) : undefined;
  });
};

function simulatedIn(found: JsonObject): Ran | undefined {
  const status = parseQuantity(found.status);
  const data = cutHex(found.returnData);
  if (data === undefined || (status !== 0n && status !== 1n)) return undefined;
  if (status === 1n) return { isReverted: false, data, ...gasIn(found) };
  const error = objectIn(found.error);
  // geth only shows the bytes in the error.
  const reason = data === "0x" ? (cutHex(error.data) ?? data) : data;
  return { isReverted: true, data: reason, ...gasIn(found), ...messageIn(error.message) };
}

/** Asks with `debug_traceCall`, for the outermost call only. */
const byTrace: Way = async (node, call, at) => {
  const tracer = { tracer: "callTracer", tracerConfig: { onlyTopCall: true } };
  return await readFromNode(node, "debug_traceCall", [callObject(call), at, tracer], (frame) => {
    if (!isJsonObject(frame) || typeof frame.type !== "string") return undefined;
    const { error = null, revertReason } = frame;
    const data = cutHex(frame.output ?? "0x");
    if (data === undefined || (error !== null && typeof error !== "string")) return undefined;
    if (error === null) return { isReverted: false, data, ...gasIn(frame) };
    return { isReverted: true, data, ...gasIn(frame), ...messageIn(revertReason ?? error) };
  });
};

/** An account without a meaning, which calls that code. */
const CALLER = "0x00000000000000000000000000000000ca11e400";
/** The most gas that the code takes, and the share of the rest that a call keeps back (EIP-150). */
const RELAY_GAS = 20_000n;
const KEPT_BACK = 63n;
const WORD_DIGITS = 64;

/** Returns whether the override works: a creation has no target, and the code at the sender would call itself. */
function canOverride({ from, to }: SimulatedCall): boolean {
  return to !== null && to.toLowerCase() !== from.toLowerCase();
}

/** Asks with `eth_call` to the sender's own address, which gets code that makes the call and returns its result. */
const byOverride: Way = async (node, { from, to, value, data, gas }, at) => {
  const target = (to ?? "0x").slice(2).padStart(WORD_DIGITS, "0");
  const relayed = gas === undefined ? undefined : gas + gas / KEPT_BACK + RELAY_GAS;
  const call = { from: CALLER, to: from, value, data: `0x${target}${data.slice(2)}`, gas: relayed };
  const funded = value > 0n ? { [CALLER]: { balance: quantityText(value) } } : {};
  const params = [callObject(call), at, { [from]: { code: RELAY_CODE }, ...funded }];
  return await readFromNode(node, "eth_call", params, (result) => {
    const found = cutHex(result);
    const succeeded = found === undefined ? undefined : parseQuantity(found.slice(0, 2 + WORD_DIGITS));
    // A node that ignores the override returns nothing: there is no code.
    if (found === undefined || found.length < 2 + WORD_DIGITS || (succeeded !== 0n && succeeded !== 1n))
      return undefined;
    return { isReverted: succeeded === 0n, data: `0x${found.slice(2 + WORD_DIGITS)}` };
  });
};

/** Asks with `eth_call`, which through the service only shows whether the call reverts (facts 15.5). */
const byCall: Way = async (node, call, at) => {
  const found = await readFromNode(node, "eth_call", [callObject(call), at], cutHex);
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

const MOST_BYTES = 2 ** 16;

/** Returns hex bytes in lowercase, cut at the bound; undefined for anything else. */
function cutHex(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? hexBytes(value.slice(0, 2 + 2 * MOST_BYTES)) : undefined;
}

function gasIn({ gasUsed }: JsonObject): { gasUsed?: bigint } {
  const gas = parseQuantity(gasUsed);
  return gas === undefined ? {} : { gasUsed: gas };
}

function messageIn(text: JsonValue | undefined): { message?: string } {
  const line = typeof text === "string" ? shownTextLine(text) : "";
  const words = line.replace(REVERTED, "").replace(/^revert(?:ed)?$/i, "");
  return words === "" || WITHOUT_REASON.test(words) ? {} : { message: REASON.exec(words)?.[1] ?? words };
}

const REVERTED = /^(?:Error: )?(?:VM [^:]{0,80}: ?)?(?:execution |transaction )?revert(?:ed)?\b[: ]*/i;
const REASON = /^with reason string '(.*)'$/i;
const WITHOUT_REASON = /^(?:without a reason\b.*|with an unrecognized custom error\b.*|VM execution error\.)$/i;

export type SimulationBlock = bigint | "latest" | "pending";

const WAYS: readonly (readonly [SimulationMethod, Way])[] = [
  ["eth_simulateV1", bySimulation],
  ["debug_traceCall", byTrace],
  ["eth_call with override", byOverride],
  ["eth_call", byCall],
];

const CAVEAT =
  "simulated with code at the sender's address: tx.origin, the sender's code, and the sender's balance differ";

/** Uses the method that shows most, or the next one if the node lacks it (facts 15.5, 15.13). At most four requests. */
export async function simulateCall(
  node: ChainNode,
  call: SimulatedCall,
  at: SimulationBlock,
  abis?: AbiSource,
): Promise<Simulation> {
  const block = typeof at === "bigint" ? quantityText(at) : at;
  let unknown: Simulation = { outcome: "unknown" };
  for (const [by, way] of WAYS) {
    if (way === byOverride && !canOverride(call)) continue;
    const found = await way(node, call, block);
    if ("value" in found && way === byOverride) {
      const { isOwn, ran } = await confirmRevert(node, call, block, found.value);
      return { ...(await toSimulation(ran, call, abis)), ...(isOwn ? { by: "eth_call" } : { by, caveat: CAVEAT }) };
    }
    if ("value" in found) return { ...(await toSimulation(found.value, call, abis)), by };
    unknown = { outcome: "unknown", fault: found.fault };
    if (isNodeSilent(found.fault)) break;
  }
  return unknown;
}

/** Confirms what an override shows with a plain call, which decides (facts 15.13). */
async function confirmRevert(node: ChainNode, call: SimulatedCall, block: string, relayed: Ran) {
  const plain = await byCall(node, call, block);
  const isOwn = "value" in plain && (plain.value.isReverted !== relayed.isReverted || plain.value.data !== undefined);
  return isOwn ? { isOwn, ran: plain.value } : { isOwn, ran: relayed };
}

async function toSimulation(ran: Ran, { gas }: SimulatedCall, abis: AbiSource | undefined): Promise<Simulation> {
  const { isReverted, data, gasUsed } = ran;
  // anvil only says that the execution failed (facts 18.5).
  const unexplained = gasUsed !== undefined && gasUsed === gas ? "it used all of its gas" : undefined;
  const message = ran.message === "execution failed" ? unexplained : ran.message;
  return {
    outcome: isReverted ? "reverted" : "succeeded",
    ...(data !== undefined && { returnData: data }),
    ...(gasUsed !== undefined && { gasUsed }),
    ...(isReverted &&
      (data ?? message) !== undefined && {
        reason: await revertReasonWithAbi(revertReason(data ?? "0x", message), abis),
      }),
  };
}
