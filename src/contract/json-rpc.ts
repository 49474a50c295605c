import { isJsonObject, type JsonObject, type JsonValue, textIn } from "./json.ts";
import type { Shape } from "./reply/shape.ts";

/** A response of JSON-RPC 2.0, without an envelope (facts 3.3): a result, or an error with status 200. */
export const jsonRpcReplyShape: Shape = (value) => {
  if (!isJsonObject(value)) return "";
  return Object.hasOwn(value, "result") || isJsonObject(value.error) ? undefined : "result";
};

export interface JsonRpcNode {
  /** Its URL without a key. */
  readonly name: string;
  ask(method: string, params: readonly JsonValue[]): Promise<{ value: JsonValue } | { fault: JsonRpcFault }>;
}

interface JsonRpcFault {
  /** One line without secrets. */
  words: string;
  /** The node's error code; absent if no node responded. */
  code?: number;
}

export interface JsonRpcError {
  code: number;
  message: string;
  /** Not part of JSON-RPC; the node's words are lost (facts 3.3). */
  description: string;
}

export function jsonRpcErrorOf({ error }: JsonObject): JsonRpcError | undefined {
  return isJsonObject(error) ? jsonRpcErrorIn(error) : undefined;
}

export function jsonRpcErrorIn({ code, message, description }: JsonObject): JsonRpcError {
  const number = Number(String(code));
  return { code: Number.isInteger(number) ? number : 0, message: textIn(message), description: textIn(description) };
}

export function isJsonRpcError(value: unknown): value is JsonRpcError {
  return value instanceof Object && "code" in value && "description" in value && typeof value.code === "number";
}

/** Returns the node's code, which the service replaces with a general one, and reports in the text (facts 15.5). */
export function nodeErrorCode({ code, description }: JsonRpcError): number {
  const inner = /\(code: (-?\d+)\)/.exec(description)?.[1];
  return inner === undefined ? code : Number(inner);
}

/** An error's meaning: the request was refused, the node was unreachable, or it requires a wait. */
export type JsonRpcErrorKind = "refused" | "unreachable" | "limited" | "other";

/** Invalid request, unknown method, invalid parameters, and no network to send it to (facts 3.3). */
const REFUSED = [-32600, -32601, -32602, -33004];
const UNREACHABLE = [-33000, -33002, -33003];
/** The description of a node to which the service can't connect: its code is the general one. */
const NO_CONNECTION = "Network error occurred. Please try again later";
const LIMITED = -33001;

export function jsonRpcErrorKind(error: JsonRpcError): JsonRpcErrorKind {
  const { code, description } = error;
  if (REFUSED.includes(code) || REFUSED.includes(nodeErrorCode(error))) return "refused";
  if (UNREACHABLE.includes(code) || description === NO_CONNECTION) return "unreachable";
  return code === LIMITED ? "limited" : "other";
}
