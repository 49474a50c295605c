import { type JsonObject, type JsonValue, withLeaves, writeJson } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import { type Operation, operationPath, type PathParameters } from "../contract/operation.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import { MASK } from "../contract/rpc-url.ts";
import type { Credentials, WireRequest } from "../contract/wire.ts";
import { VERSION } from "../version.ts";

/** One request to the service: an operation with its parameters, without the token. */
export interface ApiRequest {
  operation: Operation;
  parameters?: PathParameters;
  query?: Readonly<Record<string, string>>;
  body?: JsonValue;
  /** The dotted paths of members that nothing shows or records, of the body and of what it changes. @internal */
  hidden?: readonly string[];
  /** Set if the body is sent in this spelling or not at all. @internal */
  isExact?: true;
  /** Set if the approvers of the context signed it. @internal */
  isSigned?: true;
}

/** What the caller knows about a write besides the request. */
export interface WriteFacts {
  /** The target as read before the write, to detect a response that changed nothing. */
  before?: JsonObject | undefined;
  /** The kind of the relayer's network, if known: services up to v1.8 report success for a Stellar cancellation and do nothing. */
  kind?: NetworkKind | undefined;
  /**
   * Whether this client generated the ID in the body for this request: finding it proves that the request was applied.
   */
  ownId?: boolean;
  /**
   * Set if the change will be undone: what is changed. Nothing is sent unless that is on the disk of a journal, if one is kept.
   * @internal
   */
  temporary?: string | undefined;
  /** Set if the change stays, and is to be known until the command has said how it is undone: what is changed. @internal */
  keeps?: string | undefined;
  /** Set if the write undoes such a change: what was changed. @internal */
  restores?: string | undefined;
  /** Set for a payment of `tx send-many`. Nothing is sent unless its intent is on the disk of a journal. @internal */
  payment?: { row: number } | undefined;
  /** The dotted paths of members that nothing shows or records. @internal */
  hidden?: readonly string[];
  /** Called once the intent is recorded, right before the request may leave; throws to send nothing. @internal */
  beforeSending?: () => void;
}

export function targetOf(apiRequest: ApiRequest): string {
  const path = operationPath(apiRequest.operation, apiRequest.parameters);
  const query = apiRequest.query && new URLSearchParams(apiRequest.query).toString();
  return query ? `${path}?${query}` : path;
}

/** Returns the request as it is sent. Responses are not compressed, so that their size is known. */
export function wireRequest(apiRequest: ApiRequest, { token, headers: further = {} }: Credentials): WireRequest {
  const { operation, body } = apiRequest;
  const headers: Record<string, string> = {};
  if (token !== "") headers.authorization = `Bearer ${token}`;
  headers.accept = "application/json";
  headers["accept-encoding"] = "identity";
  headers["user-agent"] = `relayctl/${VERSION}`;
  for (const name of Object.keys(further)) headers[name.toLowerCase()] = further[name] ?? "";
  const [method, target] = [operation.method, targetOf(apiRequest)];
  if (body === undefined) return { method, target, headers };
  headers["content-type"] = "application/json";
  return { method, target, headers, body: writeJson(body) };
}

/** Returns a request for display: what it has of credentials besides the token is masked. */
export function withoutHeaderValues(request: WireRequest, { headers: further = {} }: Credentials): WireRequest {
  const masked = Object.keys(further).map((name) => [name.toLowerCase(), MASK]);
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(masked) } };
}

/** Returns a value in which members that nothing shows or records are masked, unless they are already. */
export function withoutHidden(value: JsonValue, hidden: readonly string[] = []): JsonValue {
  const isLeft = (leaf: JsonValue) => leaf === null || (typeof leaf === "string" && leaf.startsWith("hmac:"));
  if (hidden.length === 0) return value;
  return withLeaves(value, (leaf, path) => (hidden.includes(path) && !isLeft(leaf) ? MASK : leaf));
}

/** Returns what was said about a request, which may quote members that nothing shows. */
export function wordsShown(words: string, { hidden = [] }: ApiRequest): string {
  return hidden.length > 0 ? MASK : words;
}

export function apiRequest(id: OperationId, parameters: PathParameters = {}, body?: object): ApiRequest {
  return { operation: operations[id], parameters, ...(body && { body: body as JsonObject }) };
}
