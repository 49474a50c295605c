import type { JsonObject } from "../contract/json.ts";
import type { OperationId } from "../contract/operations.ts";
import { RelayctlError } from "../errors.ts";
import type { ApiResult } from "./api-result.ts";
import { failed, httpFacts } from "./attempt/failed.ts";
import type { Outcome } from "./attempt/outcome.ts";
import { send } from "./attempt/send.ts";
import type { ClientContext } from "./client-context.ts";
import { compareWithResponse } from "./read-back/compare-with-response.ts";
import { wrongIdentity } from "./read-back/identity.ts";
import { mismatch } from "./read-back/mismatch.ts";
import { readBack, unknownOutcome } from "./read-back/unknown-outcome.ts";
import { type ApiRequest, apiRequest, type WriteFacts } from "./request.ts";
import { logged } from "./write-log.ts";

/**
 * Sends a write and returns its response once it is certain that exactly the request was applied.
 * @throws RelayctlError `unknown` if that cannot be known, `mismatch` if something else was applied
 */
export function write<T extends JsonObject>(
  requested: ApiRequest,
  clientContext: ClientContext,
  facts: WriteFacts = {},
): Promise<ApiResult<T>> {
  const request = facts.hidden ? { ...requested, hidden: facts.hidden } : requested;
  return logged(clientContext.log, request, facts, () => sent<T>(request, clientContext, facts));
}

async function sent<T extends JsonObject>(
  requested: ApiRequest,
  clientContext: ClientContext,
  facts: WriteFacts,
): Promise<ApiResult<T>> {
  const settled = await send(requested, clientContext);
  const { outcome } = settled;
  switch (settled.action) {
    case "done":
      return accepted<T>(requested, outcome, facts);
    case "read_back":
      return (await readBack(requested, outcome, clientContext, facts)) as ApiResult<T>;
    case "unknown":
      throw await unknownOutcome(requested, outcome, clientContext);
    case "fail":
      throw failed(requested, outcome, clientContext.clock);
  }
}

/**
 * Creates a resource under the ID in its body. Without an ID the client generates one, so that a lost response can be
 * settled.
 */
export async function createNamed<T extends JsonObject>(
  id: OperationId,
  body: object,
  clientContext: ClientContext,
  facts: WriteFacts = {},
): Promise<ApiResult<T>> {
  const ownId = !("id" in body);
  const named = ownId ? { ...body, id: clientContext.random.uuid() } : body;
  return await write<T>(apiRequest(id, {}, named), clientContext, { ...facts, ownId });
}

/**
 * The result of a removal: the service's own sentence, or why its response was lost if a read proved that the resource
 * is gone.
 */
export type Gone = Pick<ApiResult, "body" | "lost">;

/** Removes a resource. */
export async function remove(requested: ApiRequest, clientContext: ClientContext): Promise<Gone> {
  return await write(requested, clientContext);
}

function accepted<T extends JsonObject>(requested: ApiRequest, outcome: Outcome, facts: WriteFacts): ApiResult<T> {
  if (outcome.fault !== "none") throw new RelayctlError("internal", "a failure was taken for a success");
  const { reply } = outcome;
  const data = outcome.data as T;
  const http = () => httpFacts(requested, reply.status);
  const identity = wrongIdentity(requested, data);
  if (identity)
    throw new RelayctlError("mismatch", identity, { applied: "unknown", because: idLines(data), http: http() });
  const { different, unconfirmed } = compareWithResponse(requested, data);
  const wrong = mismatch(requested, data, different, facts.before, http);
  if (wrong) throw requested.operation.id === "tx.send" ? wrong.with({ because: idLines(data) }) : wrong;
  return { data, body: reply.body, head: reply, unconfirmed };
}

function idLines({ id }: JsonObject): string[] {
  return typeof id === "string" ? [`the response has the ID ${id}`] : [];
}
