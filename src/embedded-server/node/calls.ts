import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { RELAY_CODE } from "../../contract/relay-code.ts";
import { type CallOutcome, type ContractCall, outcomeOf } from "../chain/contracts.ts";
import { estimatedGas } from "../chain/market.ts";
import { gasUsed } from "../chain/payments.ts";
import { hex, isSame } from "./chain.ts";
import { NodeError } from "./node-error.ts";

/** The state in which a call is made. */
export interface CallState {
  /** Returns the balance of an address in wei. */
  balanceOf(address: string): bigint;
  /** The third parameter of `eth_call`: by address, what counts in place of the state. */
  overrides?: JsonValue | undefined;
}

/** The code of a reverted call, and of one that is refused. */
const REVERTED = 3;
const REFUSED = -32_000;
/** The code of an execution that fails without a revert. */
const HALTED = -32_015;

/**
 * Returns what a call returns.
 * @throws NodeError without the reason if it reverts (facts 15.5)
 */
export function returnedBy(call: JsonValue | undefined, state: CallState): string {
  const { isReverted, returnData } = ran(call, state);
  if (isReverted) throw new NodeError(REVERTED);
  return returnData;
}

/** Returns what the calls of a simulation do, with the reasons of reverts (facts 15.5). */
export function simulated(simulation: JsonValue | undefined, state: CallState): JsonObject[] {
  const blocks =
    isJsonObject(simulation) && Array.isArray(simulation.blockStateCalls) ? simulation.blockStateCalls : [];
  const [block] = blocks;
  const calls = isJsonObject(block) && Array.isArray(block.calls) ? block.calls : [];
  return calls.map((call) => {
    const { isReverted, returnData, error } = ran(call, state);
    const result = { status: isReverted ? "0x0" : "0x1", returnData, gasUsed: shownGas(call), logs: [] };
    const code = error?.startsWith("execution reverted") ? REVERTED : HALTED;
    return error === undefined ? result : { ...result, error: { code, message: error } };
  });
}

/**
 * Returns the outermost frame of a call's trace.
 * @throws NodeError for another tracer than `callTracer`
 */
export function traced(call: JsonValue | undefined, options: JsonValue | undefined, state: CallState): JsonObject {
  if (!isJsonObject(options) || options.tracer !== "callTracer") throw new NodeError(REFUSED);
  const { returnData, error } = ran(call, state);
  const { from = null, value = "0x0" } = isJsonObject(call) ? call : {};
  const { to, data } = callIn(call);
  const frame = { type: to === null ? "CREATE" : "CALL", from, to, value, input: data, gasUsed: shownGas(call) };
  if (error === undefined) return { ...frame, output: returnData };
  const [words = "", revertReason] = error.split(/(?<=^execution reverted): /);
  const reason = { ...(returnData !== "0x" && { output: returnData }), ...(revertReason && { revertReason }) };
  return { ...frame, error: words, ...reason };
}

/** @throws NodeError if the call cannot be made */
function ran(call: JsonValue | undefined, { balanceOf, overrides }: CallState): CallOutcome {
  const { from, value, to } = isJsonObject(call) ? call : {};
  if (typeof from === "string") {
    const balance = wireAmount(overrideOf(overrides, from).balance) ?? balanceOf(from);
    if ((wireAmount(value) ?? 0n) > balance) throw new NodeError(REFUSED);
  }
  const { code } = overrideOf(overrides, to);
  if (code === undefined) return outcomeOf(callIn(call));
  if (code === RELAY_CODE) return relayed(callIn(call));
  // No other code can run here.
  throw new NodeError(REFUSED);
}

/** Returns what `RELAY_CODE` does. */
function relayed({ data }: ContractCall): CallOutcome {
  const { isReverted, returnData } = outcomeOf({ to: `0x${data.slice(26, 66)}`, data: `0x${data.slice(66)}` });
  const succeeded = isReverted ? "0" : "1";
  return { isReverted: false, returnData: `0x${succeeded.padStart(64, "0")}${returnData.slice(2)}` };
}

function overrideOf(overrides: JsonValue | undefined, address: JsonValue | undefined): JsonObject {
  const all = isJsonObject(overrides) ? Object.entries(overrides) : [];
  const found = all.find(([key]) => isSame(key, address))?.[1];
  return isJsonObject(found) ? found : {};
}

function callIn(call: JsonValue | undefined): ContractCall {
  const { to, data, input = data, gas } = isJsonObject(call) ? call : {};
  return {
    to: typeof to === "string" ? to : null,
    data: typeof input === "string" ? input : "0x",
    gas: wireAmount(gas),
  };
}

function shownGas(call: JsonValue | undefined): string {
  const { data, gas } = callIn(call);
  return hex(gas === undefined ? BigInt(estimatedGas({ data })) : gasUsed({ gas, data }));
}
