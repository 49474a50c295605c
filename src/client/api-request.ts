import type { JsonObject } from "../contract/json.ts";
import type { PathParameters } from "../contract/operation.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import type { ApiRequest } from "./request.ts";

/** Returns a request for a known operation, with its parameters and body. */
export function apiRequest(id: OperationId, parameters: PathParameters = {}, body?: object): ApiRequest {
  return { operation: operations[id], parameters, ...(body && { body: body as JsonObject }) };
}
