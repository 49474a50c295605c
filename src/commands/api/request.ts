import type { ApiRequest } from "../../client/request.ts";
import type { Problems } from "../../command-support/problems.ts";
import { idProblem } from "../../contract/id.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { Operation, OperationKind } from "../../contract/operation.ts";
import { recognize } from "../../contract/reply/recognize.ts";
import { anything } from "../../contract/reply/shape.ts";
import { MASKED_URL, maskedUrlPaths } from "../../contract/rpc-url.ts";
import { API_PREFIX, METHODS, type Method } from "../../contract/wire.ts";
import { oneOf } from "../../nearest.ts";

/** The assumed kind of an unknown request, by its method alone: the safer one. */
const KINDS: Record<Method, OperationKind> = {
  GET: "read",
  PATCH: "patch",
  DELETE: "remove",
  PUT: "once",
  POST: "once",
};

/** Returns a typed method and path as a request, with its operation if known. */
export function apiRequestOf(
  problems: Problems,
  typedMethod: string,
  typedPath: string,
  body: JsonValue | undefined,
): ApiRequest {
  const method = typedMethod.toUpperCase();
  if (!isMethod(method)) problems.add("<method>", oneOf(method, METHODS), typedMethod);
  const { path, query } = splitPath(problems, typedPath);
  if (method === "GET" && body !== undefined) problems.add("--file", "a GET request has no body");
  for (const place of maskedUrlPaths(body)) problems.add("--file", `${place} ${MASKED_URL}`);
  return { ...operationOf(isMethod(method) ? method : "GET", path), query, ...(body !== undefined && { body }) };
}

function isMethod(text: string): text is Method {
  return Object.hasOwn(KINDS, text);
}

function splitPath(problems: Problems, typed: string): { path: string; query: Record<string, string> } {
  const [before = "", ...rest] = typed.split("?");
  const path = `/${before.replace(/^\/+/, "").replace(/^api\/v1(?:\/|$)/, "")}`;
  if (!PATH.test(path) || hasBadPart(path)) {
    problems.add("<path>", "a path below /api/v1, percent-encoded, without .. and without an origin", typed);
  }
  const query = [...new URLSearchParams(rest.join("?"))];
  const twice = query.find(([name], index) => query.findIndex(([other]) => other === name) !== index)?.[0];
  if (twice !== undefined) problems.add("<path>", "has a repeated name in its query", twice);
  return { path, query: Object.fromEntries(query) };
}

/** Matches the characters of a path (RFC 3986), except a colon before two slashes, which begins an origin. */
const PATH = /^(?!.*:\/\/)[\w\-.~%!$&'()*+,;=:@/]*$/;

function hasBadPart(path: string): boolean {
  const parts = path.slice(1).split("/");
  return parts.some((part) => part === "" || !isDecodable(part) || [".", ".."].includes(decodeURIComponent(part)));
}

function isDecodable(part: string): boolean {
  try {
    return idProblem(decodeURIComponent(part)) !== "contains a slash or a control character";
  } catch {
    return false;
  }
}

function operationOf(method: Method, path: string): { operation: Operation; parameters: Record<string, string> } {
  const known = recognize(method, API_PREFIX + path);
  if (known) return { operation: asReceived(known.operation), parameters: { ...known.parameters } };
  return { operation: { id: "api", kind: KINDS[method], method, path, data: anything, bare: true }, parameters: {} };
}

/**
 * Returns an operation whose read is printed as received, with any shape; a write's response is still compared with the
 * request.
 */
function asReceived(operation: Operation): Operation {
  return operation.kind === "read" ? { ...operation, bare: true, data: anything } : operation;
}
