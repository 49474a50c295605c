import { shownTextLine } from "../../client/attempt/shown-text.ts";
import type { RelayersClient } from "../../client/client.ts";
import { collectItems } from "../../client/pagination/collect.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { onlyReads } from "../../contract/json-rpc/reading-methods.ts";
import {
  isJsonRpcError,
  type JsonRpcError,
  jsonRpcErrorIn,
  jsonRpcErrorKind,
  nodeErrorCode,
} from "../../contract/json-rpc.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { type Failure, ifReadable, RelayctlError, rescueUnlessInterrupted } from "../../errors.ts";
import { hexBytes } from "../evm/quantity.ts";

/** Any failure of the node becomes a fault; only an interrupt of the command is thrown. */
export interface ChainNode {
  /** The node that responded last, for output: `the node of eth-main-1`, `https://rpc.example.org/***`. */
  readonly name: string;
  /** Sends a request with a method that only reads, and returns its unvalidated `result`. */
  ask(method: string, params: NodeParams): Promise<Reading<JsonValue>>;
}

/** Returns a node that is asked in another way, under the same name. */
export function nodeWithAsk(node: ChainNode, ask: ChainNode["ask"]): ChainNode {
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
export async function readFromNode<T>(
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

export const LATE = "the time limit was reached";

interface NodeBounds {
  calls: number;
  /** Absent if there is no limit. */
  remaining?: (() => number) | undefined;
}

export function boundedNode(node: ChainNode, { calls, remaining }: NodeBounds): ChainNode {
  let left = calls;
  const fault = (words: string): { fault: NodeFault } => ({ fault: { kind: "exhausted", words } });
  return nodeWithAsk(node, async (method, params) => {
    if (remaining && remaining() <= 0) return fault(LATE);
    if (left-- <= 0) return fault(`${calls} requests to the node were not enough`);
    return await node.ask(method, params);
  });
}

const REVERTED = 3;
/** The codes of JSON-RPC and of EIP-1474, which Hardhat sends (facts 18.4). */
const NO_METHOD: readonly number[] = [-32_601, -32_004];
const TOO_MANY = -32_005;

/** Invalid parameters: what anvil says of a block whose state it dropped (facts 18.10). */
const OUT_OF_RANGE = -32_602;
const STATE_WORDS = /missing trie node|header not found|\bstate\b.*\b(?:unavailable|not available|pruned)\b/i;

export const NO_OLD_STATE = "the node no longer has the state of earlier blocks";

/** Returns what a node lacks for a valid request about an old block; its own words if that is not known. */
export function missingStateText({ code, words }: NodeFault): string {
  if (STATE_WORDS.test(words)) return NO_OLD_STATE;
  return code === OUT_OF_RANGE ? `the node probably no longer has the state of that block (code ${code})` : words;
}

const SILENT: readonly NodeFaultKind[] = ["refused", "unreachable", "limited", "wrong_chain", "exhausted"];

export function isNodeSilent(fault: NodeFault): boolean {
  return SILENT.includes(fault.kind);
}

/** Returns whether a node can never be asked: only the records count. */
export function isNodeUnaskable({ kind }: NodeFault): boolean {
  return kind === "refused" || kind === "no_method";
}

const FAILURES: Partial<Record<NodeFaultKind, Failure>> = {
  ...{ failed: "server", unreadable: "server", wrong_chain: "server" },
  ...{ limited: "rate_limited", unreachable: "network" },
};

/** Returns the failure for a fault; undefined if the node lacks the value, or is not to be asked again. */
export function nodeFailure({ kind, words, cause }: NodeFault): RelayctlError | undefined {
  const failure = words === LATE ? "network" : FAILURES[kind];
  return failure && (cause ?? new RelayctlError(failure, words));
}

/** @param place words before the node's @throws RelayctlError if the node did not return the value */
export function nodeValue<T>(reading: Reading<T>, place = ""): T {
  if ("value" in reading) return reading.value;
  throw nodeFailure(reading.fault) ?? new RelayctlError("server", `${place}${reading.fault.words}`);
}

/** Returns the kind of a node's error, by its code (facts 3.3, 15.5). */
export function nodeFaultKind(error: JsonRpcError): NodeFaultKind {
  const code = nodeErrorCode(error);
  if (code === REVERTED || code === VM_FAILED) return "reverted";
  if (NO_METHOD.includes(code)) return "no_method";
  if (code === TOO_MANY) return "limited";
  const kind = jsonRpcErrorKind(error);
  return kind === "unreachable" || kind === "limited" ? kind : "failed";
}

/** Returns the node of a relayer, which the service asks (facts 3.3). */
export function relayerNode(relayers: Pick<RelayersClient, "rpc">, relayerId: string): ChainNode {
  return {
    name: `the node of ${relayerId}`,
    async ask(method, params): Promise<Reading<JsonValue>> {
      const request = { jsonrpc: "2.0", method, params: params as JsonValue };
      // Any other method would be sent as a write.
      if (!onlyReads(request)) throw new RelayctlError("internal", `${method} is not a method that only reads`);
      const response = relayers.rpc(relayerId, request, { withNewId: true });
      const reading = response.then(({ data }) => ({ value: data.result ?? null }));
      return await rescueUnlessInterrupted(reading, (error) => ({ fault: createFault(error) }));
    },
  };
}

function createFault(error: RelayctlError): NodeFault {
  const { message, because, cause } = error;
  if (isJsonRpcError(cause)) {
    const code = nodeErrorCode(cause);
    return { kind: nodeFaultKind(cause), words: [message, ...because].join(": "), code, cause: error };
  }
  return { kind: faultKind(error), words: message, cause: error };
}

const KINDS: Partial<Record<Failure, NodeFaultKind>> = {
  conflict: "refused",
  network: "unreachable",
  rate_limited: "limited",
};

/** Returns the fault kind of a service's failure. An unreadable success has status 200 and is a server failure. */
function faultKind({ failure, http }: RelayctlError): NodeFaultKind {
  if (failure === "server") return (http?.status ?? 0) >= 500 ? "unreachable" : "unreadable";
  return KINDS[failure] ?? "failed";
}

/** The relayers that are read to find siblings, and the most that are asked. */
const READ = 100;
const MOST = 3;

/** Returns the nodes of active relayers of the same network without their own RPC URLs (facts 15.7). */
export async function siblingNodes(
  relayers: Pick<RelayersClient, "rpc" | "list">,
  missing: Missed,
): Promise<ChainNode[]> {
  const found = missing.network === undefined ? [] : await ifReadable(readNodeSiblings(relayers, missing));
  return (found ?? []).map((sibling) => relayerNode(relayers, sibling));
}

export async function readNodeSiblings(relayers: Pick<RelayersClient, "list">, missing: Missed): Promise<string[]> {
  return nodeSiblingsIn(await collectItems(relayers.list({ page: 1, perPage: READ })), missing);
}

/** A relayer, or a network, whose own node is not asked. */
interface Missed {
  id?: string;
  network: string | undefined;
  kind?: NetworkKind;
}

/** Returns the IDs of at most 3 relayers that can be asked in place of another relayer, or of a network's. */
export function nodeSiblingsIn(found: readonly JsonObject[], { id, network, kind = "evm" }: Missed): string[] {
  const isSibling = (each: JsonObject) =>
    each.id !== id && each.network === network && each.network_type === kind && isAskable(each);
  return network === undefined
    ? []
    : found
        .filter(isSibling)
        .slice(0, MOST)
        .map((each) => String(each.id));
}

function isAskable({ paused, system_disabled: disabled, custom_rpc_urls: urls }: JsonObject): boolean {
  const hasOwn = Array.isArray(urls) ? urls.length > 0 : urls !== null && urls !== undefined;
  return paused !== true && disabled !== true && !hasOwn;
}

/** Returns a node that is replaced by the first willing one of others if its relayer refuses (facts 15.7). */
export function nodeWithFallback(node: ChainNode, findOthers: () => Promise<readonly ChainNode[]>): ChainNode {
  let current = node;
  let others: readonly ChainNode[] | undefined;
  return {
    get name() {
      return current.name;
    },
    async ask(method, params) {
      const reading = await current.ask(method, params);
      if (!("fault" in reading) || reading.fault.kind !== "refused" || current !== node) return reading;
      others ??= await findOthers();
      for (const other of others) {
        const second = await other.ask(method, params);
        if ("fault" in second && second.fault.kind === "refused") continue;
        current = other;
        return second;
      }
      return reading;
    },
  };
}

interface Revert {
  /** The bytes that it reverted with, as hex in lowercase and at most 64 KiB. */
  data?: string;
  /** The node's message, on one line. */
  message: string;
}

/** The code of Nethermind and OpenEthereum for any failure of the virtual machine. */
const VM_FAILED = -32_015;
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
  const data = digits === undefined ? undefined : hexBytes(digits.slice(0, 2 + MOST_DIGITS));
  const isRevert = code === REVERTED || code === VM_FAILED || WORDS.test(message) || HALT.test(message);
  if (!isRevert) return undefined;
  // Nethermind's message is in the data: `revert: too late`, `OutOfGas`.
  const words = code === VM_FAILED && data === undefined && typeof error.data === "string" ? error.data : message;
  return { message: shownTextLine(hide(words)), ...(data !== undefined && { data }) };
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
