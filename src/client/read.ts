import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import { failedAttempt } from "./attempt/failed-attempt.ts";
import type { Success } from "./attempt/outcome.ts";
import { failedHttpFacts } from "./attempt/refusal.ts";
import { sendAttempts } from "./attempt/send.ts";
import type { ClientContext } from "./client-context.ts";
import { jsonRpcFailure } from "./json-rpc.ts";
import { findOtherRelayer, findWrongIdentity } from "./read-back/compare-with-response.ts";
import type { ApiRequest, ApiResult } from "./request.ts";

export async function readSuccess(request: ApiRequest, clientContext: ClientContext): Promise<Success> {
  const { outcome } = await sendAttempts(request, clientContext);
  if (outcome.fault !== "none") throw failedAttempt(request, outcome, clientContext.clock);
  const wrong = outcome.items ? undefined : findWrongIdentity(request, outcome.data);
  if (wrong) throw identityError(request, outcome, wrong);
  const failed = jsonRpcFailure(request, outcome);
  if (failed) throw failed;
  return outcome;
}

/** Returns the error for a wrong identity. Another relayer's transaction is the user's mistake. */
function identityError(request: ApiRequest, { data, reply }: Success, wrong: string): RelayctlError {
  const http = failedHttpFacts(request, reply.status);
  const owner = findOtherRelayer(request, data);
  if (owner === undefined) return new RelayctlError("server", wrong, { http });
  const { relayer_id, transaction_id: id = "" } = request.parameters ?? {};
  return new RelayctlError("not_found", `transaction ${id} belongs to relayer ${owner}, not to ${relayer_id}`, {
    http,
    subject: { kind: "other_relayer", relayer: owner, transaction: id },
  });
}

export async function readOne<T extends JsonObject>(
  request: ApiRequest,
  clientContext: ClientContext,
): Promise<ApiResult<T>> {
  const { data, reply } = await readSuccess(request, clientContext);
  return { data: data as T, body: reply.body, unconfirmed: [] };
}

/** Reads public data: without the token, then with the token if an older service requires one (facts 1.2). */
export async function readPublic(request: ApiRequest, clientContext: ClientContext): Promise<ApiResult> {
  try {
    return await readAny(request, { ...clientContext, token: "" });
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.http?.status !== 401) throw error;
    return await readAny(request, { ...clientContext, token: await tokenAfter(error, clientContext) });
  }
}

/** Returns the token after a refusal. The error for a missing token can't claim that nothing was sent. */
async function tokenAfter(refused: RelayctlError, clientContext: ClientContext): Promise<string> {
  try {
    return (await clientContext.readToken?.()) ?? clientContext.token;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure !== "auth") throw error;
    throw refused.with({ because: [TOKEN_REQUIRED], hint: error.hint });
  }
}

const TOKEN_REQUIRED = "services before v1.4 require a token for this, and no token is configured";

export async function readAny(request: ApiRequest, clientContext: ClientContext): Promise<ApiResult> {
  const { data, reply } = await readSuccess(request, clientContext);
  return { data: data as JsonObject, body: reply.body, head: reply, unconfirmed: [] };
}
