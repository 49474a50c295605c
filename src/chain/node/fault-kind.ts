import { type JsonRpcError, jsonRpcErrorKind, nodeErrorCode } from "../../contract/json-rpc.ts";
import { type Failure, RelayctlError } from "../../errors.ts";
import { LATE } from "./bounded.ts";
import type { NodeFault, NodeFaultKind, Reading } from "./node.ts";
import { VM_FAILED } from "./revert.ts";

const REVERTED = 3;
/** The codes of JSON-RPC and of EIP-1474, which Hardhat sends (facts 18.4). */
const NO_METHOD: readonly number[] = [-32_601, -32_004];
const TOO_MANY = -32_005;

/** Invalid parameters: what anvil says of a block whose state it dropped (facts 18.10). */
const OUT_OF_RANGE = -32_602;
const STATE_WORDS = /missing trie node|header not found|\bstate\b.*\b(?:unavailable|not available|pruned)\b/i;

export const NO_OLD_STATE = "the node no longer has the state of earlier blocks";

/** Returns what a node lacks for a valid request about an old block; its own words if that is not known. */
export function oldStateWords({ code, words }: NodeFault): string {
  if (STATE_WORDS.test(words)) return NO_OLD_STATE;
  return code === OUT_OF_RANGE ? `the node probably no longer has the state of that block (code ${code})` : words;
}

const SILENT: readonly NodeFaultKind[] = ["refused", "unreachable", "limited", "wrong_chain", "exhausted"];

export function isSilent(fault: NodeFault): boolean {
  return SILENT.includes(fault.kind);
}

/** Returns whether a node can never be asked: only the records count. */
export function isUnaskable({ kind }: NodeFault): boolean {
  return kind === "refused" || kind === "no_method";
}

const FAILURES: Partial<Record<NodeFaultKind, Failure>> = {
  ...{ failed: "server", unreadable: "server", wrong_chain: "server" },
  ...{ limited: "rate_limited", unreachable: "network" },
};

/** Returns the failure for a fault; undefined if the node lacks the value, or is not to be asked again. */
export function failureBy({ kind, words, cause }: NodeFault): RelayctlError | undefined {
  const failure = words === LATE ? "network" : FAILURES[kind];
  return failure && (cause ?? new RelayctlError(failure, words));
}

/** @param place words before the node's @throws RelayctlError if the node did not return the value */
export function valueIn<T>(reading: Reading<T>, place = ""): T {
  if ("value" in reading) return reading.value;
  throw failureBy(reading.fault) ?? new RelayctlError("server", `${place}${reading.fault.words}`);
}

/** Returns the kind of a node's error, by its code (facts 3.3, 15.5). */
export function faultKindOf(error: JsonRpcError): NodeFaultKind {
  const code = nodeErrorCode(error);
  if (code === REVERTED || code === VM_FAILED) return "reverted";
  if (NO_METHOD.includes(code)) return "no_method";
  if (code === TOO_MANY) return "limited";
  const kind = jsonRpcErrorKind(error);
  return kind === "unreachable" || kind === "limited" ? kind : "failed";
}
