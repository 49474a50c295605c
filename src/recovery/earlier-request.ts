import type { ApiRequest } from "../client/request.ts";
import { idProblem } from "../contract/id.ts";
import { isJsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import { takesRest } from "../contract/operation.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import type { Intent } from "../journal/entry.ts";

/** The request of an earlier command, as far as the journal has it, or why it cannot be checked. */
export type EarlierRequest = { request: ApiRequest } | { because: string };

/** What the journal does not have: masked URLs, and fingerprints in place of secrets. */
const HIDDEN = /\*\*\*|"hmac:[0-9a-f]+"/;

/** Returns the request that an intent describes. A line may have been edited, so nothing in it is believed. */
export function earlierRequest(intent: Intent): EarlierRequest {
  const { operation: id, ids, body, ownId } = intent;
  const operation = Object.hasOwn(operations, id) ? operations[id as OperationId] : undefined;
  if (!operation) return { because: `the outcome of ${id} cannot be read` };
  const isDamaged = Object.entries(ids).some(
    ([name, value]) => typeof value !== "string" || (!takesRest(operation, name) && idProblem(value) !== undefined),
  );
  if (isDamaged) return { because: "its line in the journal is damaged" };
  if (operation.kind === "patch" && !isJsonObject(body)) return { because: "its body is not in the journal" };
  if (operation.kind === "patch" && HIDDEN.test(writeJson(body ?? null)))
    return { because: "the journal hides secrets and URLs, so what was requested cannot be compared" };
  const compared = ownId ? findId(body) : body;
  return { request: { operation, parameters: ids, ...(compared !== undefined && { body: compared }) } };
}

function findId(body: JsonValue | undefined): JsonValue {
  return isJsonObject(body) && body.id !== undefined ? { id: body.id } : {};
}
