import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Revert } from "./revert.ts";

/** Any failure of the node becomes a fault; only an interrupt of the command is thrown. */
export interface ChainNode {
  /** The node that responded last, for output: `the node of eth-main-1`, `https://rpc.example.org/***`. */
  readonly name: string;
  /** Sends a request with a method that only reads, and returns its unvalidated `result`. */
  ask(method: string, params: NodeParams): Promise<Reading<JsonValue>>;
}

/** Returns a node that is asked in another way, under the same name. */
export function withAsk(node: ChainNode, ask: ChainNode["ask"]): ChainNode {
  return {
    get name() {
      return node.name;
    },
    ask,
  };
}

/** The parameters of a request: a list, or for Stellar an object. */
export type NodeParams = readonly JsonValue[] | JsonObject;

/** A validated value from a node, or why it is missing. */
export type Reading<T> = { value: T } | { fault: NodeFault };

/** Why a node returned nothing usable. */
export interface NodeFault {
  kind: NodeFaultKind;
  /** One line without secrets: URLs are masked. */
  words: string;
  /** The node's own error code (facts 15.5). */
  code?: number;
  /** What the node shows of a reverted call: the service removes it (facts 15.5). */
  revert?: Revert;
  cause?: RelayctlError;
}

export type NodeFaultKind =
  /** The relayer is paused or disabled, and doesn't pass on requests (facts 15.7). */
  | "refused"
  | "no_method"
  /** The call reverts or halts (facts 15.5). */
  | "reverted"
  /** Any other error of the node, e.g. for state that it no longer has. */
  | "failed"
  | "unreachable"
  | "limited"
  /** The response does not fit the method, contradicts another response, or is too large. */
  | "unreadable"
  | "wrong_chain"
  /** The limit on calls or time was reached. */
  | "exhausted";

export function nodeFault(words: string): { fault: NodeFault } {
  return { fault: { kind: "unreadable", words } };
}

/** Collects why values are missing, each reason once. */
export function createMissing() {
  const missing: string[] = [];
  const lack = ({ words }: NodeFault) => void (missing.includes(words) || missing.push(words));
  return {
    missing,
    lack,
    /** Returns the value of a reading, or notes why there is none. */
    known<T>(reading: Reading<T>): T | undefined {
      if ("value" in reading) return reading.value;
      lack(reading.fault);
      return undefined;
    },
  };
}

export type Missing = ReturnType<typeof createMissing>;

/** Sends a request, and parses its result. @param parse returns undefined for an invalid result */
export async function read<T>(
  node: ChainNode,
  method: string,
  params: NodeParams,
  parse: (result: JsonValue) => T | undefined,
): Promise<Reading<T>> {
  const reading = await node.ask(method, params);
  if ("fault" in reading) return reading;
  const value = parse(reading.value);
  return value === undefined ? nodeFault(`the response to ${method} is not what that method returns`) : { value };
}
