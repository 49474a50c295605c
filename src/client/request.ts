import { idProblem } from "../contract/id.ts";
import {
  isJsonObject,
  isPlainObject,
  isRoundedNumber,
  type JsonObject,
  type JsonValue,
  objectIn,
  withJsonLeaves,
  writeJson,
} from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import { hasRestParameter, type Operation, operationPath, type PathParameters } from "../contract/operation.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import { MASK, MASKED_URL, maskedRpcUrlPaths } from "../contract/rpc-url.ts";
import { REDACTED, REDACTED_RULE } from "../contract/secret-fields.ts";
import type { Credentials, WireReply, WireRequest } from "../contract/wire.ts";
import { type Problem, usageError } from "../errors.ts";
import { VERSION } from "../version.ts";

/** One request to the service, without credentials. */
export interface ApiRequest {
  operation: Operation;
  parameters?: PathParameters;
  query?: Readonly<Record<string, string>>;
  body?: JsonValue;
  /** Dotted paths of members that are never shown or recorded, of the body or the resource. @internal */
  hidden?: readonly string[];
  /** Set if the body must not be respelled. @internal */
  isExact?: true;
  /** Set if the approvers of the context signed it. @internal */
  isSigned?: true;
}

export interface WriteFacts {
  /** The target before the write, to detect a response that changed nothing. */
  before?: JsonObject | undefined;
  /** The network type, if known: services up to v1.8 report success for a Stellar cancellation and do nothing. */
  kind?: NetworkKind | undefined;
  /** Whether this client generated the ID in the body: finding it proves that the request was applied. */
  ownId?: boolean;
  /**
   * Set if the change will be undone, with a description. Nothing is sent until a journal, if one is kept, has it on the disk.
   * @internal
   */
  temporary?: string | undefined;
  /** Set if the change stays, and is recorded until the command has shown its undo, with a description. @internal */
  keeps?: string | undefined;
  /** Set if the write undoes such a change, with its description. @internal */
  restores?: string | undefined;
  /** Set for a payment of `tx send-many`. Nothing is sent until a journal has its intent on the disk. @internal */
  payment?: { row: number } | undefined;
  /** The latest `Date` of the responses so far, in milliseconds since 1970. @internal */
  date?: number | undefined;
  /** Dotted paths of members that are never shown or recorded. @internal */
  hidden?: readonly string[];
  /** Called once the intent is recorded, right before the request may leave; throws to send nothing. @internal */
  beforeSending?: () => void;
}

/** @throws RelayctlError usage for an ID that no path can have */
export function requestTarget(apiRequest: ApiRequest): string {
  const problems = idProblems(apiRequest);
  if (problems.length > 0) throw usageError(problems);
  const path = operationPath(apiRequest.operation, apiRequest.parameters);
  const query = apiRequest.query && queryText(apiRequest.query);
  return query ? `${path}?${query}` : path;
}

/** Encodes like URLSearchParams, most of whose code Node would compile for two numbers. */
function queryText(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query);
  const isPlain = pairs.flat().every((word) => /^\w*$/.test(word));
  return isPlain ? pairs.map((pair) => pair.join("=")).join("&") : new URLSearchParams(query).toString();
}

/** Returns the request as it is sent. Responses are not compressed, so that their size is known. */
export function wireRequest(apiRequest: ApiRequest, { token, headers: further = {} }: Credentials): WireRequest {
  const { operation, body } = apiRequest;
  const headers: Record<string, string> = Object.create(null);
  if (token !== "") headers.authorization = `Bearer ${token}`;
  headers.accept = "application/json";
  headers["accept-encoding"] = "identity";
  headers["user-agent"] = `relayctl/${VERSION}`;
  for (const name of Object.keys(further)) headers[name.toLowerCase()] = further[name] ?? "";
  const [method, target] = [operation.method, requestTarget(apiRequest)];
  if (body === undefined) return { method, target, headers };
  headers["content-type"] = "application/json";
  return { method, target, headers, body: writeJson(body) };
}

export function requestWithoutHeaderValues(request: WireRequest, { headers: further = {} }: Credentials): WireRequest {
  const masked = Object.keys(further).map((name) => [name.toLowerCase(), MASK]);
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(masked) } };
}

/** Masks hidden members of a value, unless they are masked already. */
export function requestWithoutHidden(value: JsonValue, hidden: readonly string[] = []): JsonValue {
  const isLeft = (leaf: JsonValue) => leaf === null || (typeof leaf === "string" && leaf.startsWith("hmac:"));
  if (hidden.length === 0) return value;
  return withJsonLeaves(value, (leaf, path) => (hidden.includes(path) && !isLeft(leaf) ? MASK : leaf));
}

export function shownRequestWords(words: string, { hidden = [] }: ApiRequest): string {
  return hidden.length > 0 ? MASK : words;
}

export function apiRequest(id: OperationId, parameters: PathParameters = {}, body?: object): ApiRequest {
  return { operation: operations[id], parameters, ...(body && { body: body as JsonObject }) };
}

/** Rejects an ID that changes the path, a masked URL (promises 7.4), and what a program can't mean. @throws usage */
export function refuseUnsendableRequest(request: ApiRequest): void {
  const problems = [...idProblems(request), ...bodyProblems(request.body ?? null)];
  for (const where of maskedRpcUrlPaths(request.body)) problems.push({ where, rule: MASKED_URL });
  if (problems.length > 0) throw usageError(problems);
}

function bodyProblems(value: unknown, where = ""): Problem[] {
  const rule = valueRule(value);
  if (rule !== undefined) return [{ where: where || "body", rule }];
  const isSent = ([, member]: [string, unknown]) => member !== undefined;
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(objectIn(value)).filter(isSent);
  return members.flatMap(([name, member]) => {
    const path = where === "" ? `${name}` : `${where}.${name}`;
    return [...bodyProblems(name, path), ...bodyProblems(member, path)];
  });
}

/** A parser returns a large integer as a bigint: as a number, it may be rounded. */
function valueRule(value: unknown): string | undefined {
  if (typeof value === "string") {
    if (value.includes(REDACTED)) return REDACTED_RULE;
    return value.isWellFormed() ? undefined : "contains a lone surrogate";
  }
  if (typeof value === "number") return isRoundedNumber(value) ? "is not an exact number; use a bigint" : undefined;
  // A date or a map inherits more than a plain object does, and would be sent without its value.
  if (isJsonObject(value) && !isPlainObject(value)) return "must be JSON";
  return ["function", "symbol", "undefined"].includes(typeof value) ? "must be JSON" : undefined;
}

function idProblems({ operation, parameters = {} }: ApiRequest): Problem[] {
  const problems: Problem[] = [];
  for (const [where, given] of Object.entries(parameters)) {
    const parts = typeof given === "string" && hasRestParameter(operation, where) ? given.split("/") : [given];
    const rule = parts.map(idProblem).find((problem) => problem !== undefined);
    if (rule !== undefined) problems.push({ where, ...(typeof given === "string" && given !== "" && { given }), rule });
  }
  return problems;
}

/** What precedes the body of a response. Header names are in lowercase. */
export type ResponseHead = Pick<WireReply, "status" | "headers" | "certificateEnds">;

export interface ApiResult<T extends JsonObject = JsonObject> {
  data: T;
  /** The response body exactly as received; after a lost response, the body of the response that proved the write. */
  body: Uint8Array;
  head?: ResponseHead;
  /** Requested fields that no response confirms: masked, in another JSON type, or never returned. */
  unconfirmed: readonly string[];
  /** Why the response to the write itself is missing, if a later read proved that the write was applied. */
  lost?: string;
}
