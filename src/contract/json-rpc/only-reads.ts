import { isJsonObject, type JsonValue } from "../json.ts";
import { READING_METHODS } from "./reading-methods.ts";

const FIELDS = ["jsonrpc", "id", "method", "params"];

/**
 * Returns whether a JSON-RPC request only reads. The kind of node is unknown here: no method reads on one kind and
 * writes on another. A batch, and a request with fields beyond JSON-RPC's own, may do anything.
 */
export function onlyReads(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || !Object.keys(body).every((field) => FIELDS.includes(field))) return false;
  const { method } = body;
  return typeof method === "string" && Object.values(READING_METHODS).some((names) => names.includes(method));
}
