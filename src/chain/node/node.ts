import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Revert } from "./revert.ts";

/**
 * A node of a network, through which the chain is read. Whatever the node does becomes a fault; only an interrupt of
 * the command is thrown.
 */
export interface ChainNode {
  /** What output calls the node that responded last: `the node of eth-main-1`, `https://rpc.example.org/***`. */
  readonly name: string;
  /** Sends a request with a method that only reads, and returns its `result` as the node sent it. */
  ask(method: string, params: NodeParams): Promise<Reading<JsonValue>>;
}

/** The parameters of a request: a list, or for Stellar an object. */
export type NodeParams = readonly JsonValue[] | JsonObject;

/** A value read from a node, or why it is missing. A value was validated; a node is never believed without. */
export type Reading<T> = { value: T } | { fault: NodeFault };

/** Why a node returned nothing usable. */
export interface NodeFault {
  kind: NodeFaultKind;
  /** One line without secrets: URLs are masked. */
  words: string;
  /** The node's own error code (facts 15.5). */
  code?: number;
  /** What the node shows of a call that reverted: the service removes it (facts 15.5). */
  revert?: Revert;
  /** The error of the request through a relayer. */
  cause?: RelayctlError;
}

export type NodeFaultKind =
  /** The relayer does not pass on requests: it is paused or disabled (facts 15.7). */
  | "refused"
  /** The node does not have the method. */
  | "no_method"
  /** The call reverts or halts (facts 15.5). */
  | "reverted"
  /** Any other error of the node, e.g. for state that it no longer has. */
  | "failed"
  | "unreachable"
  | "limited"
  /** The response is not what the method returns, contradicts another one, or is too large. */
  | "unreadable"
  | "wrong_chain"
  /** The limit on calls or time was reached. */
  | "exhausted";

export function unreadable(words: string): { fault: NodeFault } {
  return { fault: { kind: "unreadable", words } };
}

/** Collects why values are missing, each reason once. */
export function createMissing() {
  const missing: string[] = [];
  const lack = ({ words }: NodeFault) => void (missing.includes(words) || missing.push(words));
  return {
    missing,
    lack,
    /** Returns the value of a reading; notes why there is none. */
    known<T>(reading: Reading<T>): T | undefined {
      if ("value" in reading) return reading.value;
      lack(reading.fault);
      return undefined;
    },
  };
}

export type Missing = ReturnType<typeof createMissing>;

/** Sends a request, and parses its result. @param parse returns undefined for a result of another form */
export async function read<T>(
  node: ChainNode,
  method: string,
  params: NodeParams,
  parse: (result: JsonValue) => T | undefined,
): Promise<Reading<T>> {
  const reading = await node.ask(method, params);
  if ("fault" in reading) return reading;
  const value = parse(reading.value);
  return value === undefined ? unreadable(`the response to ${method} is not what that method returns`) : { value };
}
