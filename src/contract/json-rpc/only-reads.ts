import { isJsonObject, type JsonValue } from "../json.ts";
import { READING_METHODS } from "./reading-methods.ts";

const FIELDS = ["jsonrpc", "id", "method", "params"];

/**
 * Whether a JSON-RPC request only asks the node. Which kind of node it reaches is not known here: no name asks on one kind
 * and writes on another. A batch, and a request with members beyond JSON-RPC's own, may do anything.
 */
export function onlyReads(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || !Object.keys(body).every((field) => FIELDS.includes(field))) return false;
  const { method } = body;
  return typeof method === "string" && Object.values(READING_METHODS).some((names) => names.includes(method));
}
