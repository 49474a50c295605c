import { isJsonObject } from "../../contract/json.ts";
import { jsonRpcErrorOf } from "../../contract/json-rpc.ts";
import { operations } from "../../contract/operations.ts";
import { KnownKeys } from "../../contract/reply/list-reply.ts";
import type { WireReply, WireRequest } from "../../contract/wire.ts";
import { LINGER } from "../../timing.ts";
import type { ClientContext } from "../client-context.ts";
import { wrongIdentity } from "../read-back/identity.ts";
import { type ApiRequest, wireRequest, wordsShown } from "../request.ts";
import { type AttemptLimits, type Confirmation, type Connection, TransportFailure } from "../transport/transport.ts";
import { endOf } from "./attempt-end.ts";
import { type MemoryBudget, memoryBudgetFor } from "./memory-budget.ts";
import { type Outcome, outcomeOfFailure, outcomeOfReply, withDoubt } from "./outcome.ts";

/** A read whose response cannot be mistaken for a write's: the shortest possible list. */
const QUESTION = { operation: operations["relayers.list"], query: { page: "1", per_page: "1" } };

export function confirmationOver(
  clientContext: ClientContext,
  classify: (response: WireReply) => Outcome,
): Confirmation {
  const { clock, throttle, heapLimit } = clientContext;
  return {
    isNeeded: (response) => saysNothingApplied(classify(response)),
    linger: (signal) => clock.sleep(LINGER, signal),
    // This read skips the throttle: the service may close an idle connection before a rate-limited turn comes.
    question: () => wireRequest(QUESTION, clientContext),
    isResponse(response) {
      const { values } = memoryBudgetFor(response.body.length, heapLimit);
      const { fault } = outcomeOfReply(QUESTION.operation, response, values);
      if (fault !== "limited") throttle.passed();
      return fault === "none" || fault === "refused" || fault === "limited";
    },
  };
}

function saysNothingApplied(outcome: Outcome): boolean {
  if (outcome.fault !== "none") return outcome.fault === "refused" || outcome.fault === "limited";
  return isJsonObject(outcome.data) && jsonRpcErrorOf(outcome.data) !== undefined;
}

export async function attempt(
  apiRequest: ApiRequest,
  request: WireRequest,
  clientContext: ClientContext,
): Promise<Outcome> {
  const started = clientContext.clock.elapsed();
  const end = endOf(apiRequest, clientContext);
  let validated: Outcome | undefined;
  const classify = (reply: WireReply) => {
    validated ??= outcomeWithin(
      boundsIn(memoryBudgetFor(reply.body.length, clientContext.heapLimit), apiRequest),
      apiRequest,
      reply,
      buildKnownKeys(apiRequest, clientContext),
    );
    return validated;
  };
  try {
    const reply = await exchangeOnce(request, clientContext, {
      maxBytes: boundsIn(memoryBudgetFor(0, clientContext.heapLimit), apiRequest).bytes,
      connection: connectionFor(apiRequest, clientContext),
      signal: end.signal,
      untilSent: end.untilSent,
      ...buildLimits(apiRequest, clientContext, classify),
    });
    clientContext.report({
      type: "reply",
      status: reply.status,
      bytes: reply.body.length,
      milliseconds: Math.round(clientContext.clock.elapsed() - started),
    });
    if (!clientContext.showsUrls) clientContext.secrets?.learn(reply.body);
    // The response to a write with hidden members has them, too.
    clientContext.trace?.received(
      apiRequest.hidden?.length ? { ...reply, headers: {}, body: new Uint8Array() } : reply,
    );
    return withoutSecrets(withDoubt(classify(reply), reply.doubt), clientContext);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    clientContext.report({ type: "no_reply", why: wordsShown(error.message, apiRequest) });
    return withoutSecrets(outcomeOfFailure(error), clientContext);
  } finally {
    end.over();
  }
}

/** Returns an outcome whose failure quotes no secret: errors, findings, and rows are made of it. */
function withoutSecrets(outcome: Outcome, { secrets }: ClientContext): Outcome {
  return outcome.fault === "none" || !secrets ? outcome : secrets.masked(outcome);
}

/** The response to a read of one resource shows which request it belongs to; a refusal of a write is confirmed. */
function buildLimits(
  apiRequest: ApiRequest,
  clientContext: ClientContext,
  classify: (reply: WireReply) => Outcome,
): Pick<AttemptLimits, "isOwn" | "confirmation"> {
  const { kind, list } = apiRequest.operation;
  if (kind !== "read") return { confirmation: confirmationOver(clientContext, classify) };
  return list ? {} : { isOwn: (reply) => isOwnReply(apiRequest, classify(reply)) };
}

function isOwnReply(apiRequest: ApiRequest, outcome: Outcome): boolean {
  return outcome.fault !== "none" || wrongIdentity(apiRequest, outcome.data) === undefined;
}

function outcomeWithin(
  bounds: ReturnType<typeof boundsIn>,
  { operation }: ApiRequest,
  reply: WireReply,
  knownKeys: KnownKeys,
): Outcome {
  if (reply.body.length > bounds.bytes) throw tooLarge(reply, bounds.bytes);
  return outcomeOfReply(operation, reply, bounds.values, knownKeys);
}

function buildKnownKeys({ operation }: ApiRequest, { knownKeys }: ClientContext): KnownKeys {
  const known = knownKeys.get(operation.id) ?? new KnownKeys();
  knownKeys.set(operation.id, known);
  return known;
}

function boundsIn({ response, listResponse, values, listValues }: MemoryBudget, { operation }: ApiRequest) {
  return operation.list ? { bytes: listResponse, values: listValues } : { bytes: response, values };
}

function tooLarge({ status }: WireReply, most: number): TransportFailure {
  const message = `the response is larger than ${Math.round(most / 2 ** 20)} MiB, the limit of the available memory`;
  return new TransportFailure("too_large", message, { sent: true, status });
}

function connectionFor({ operation }: ApiRequest, { inBulk }: ClientContext): Connection {
  if (operation.kind === "read") return "kept";
  return inBulk ? "pooled" : "own";
}

function exchangeOnce(request: WireRequest, clientContext: ClientContext, limits: AttemptLimits): Promise<WireReply> {
  if (clientContext.interrupt.aborted) throw new TransportFailure("interrupted", "interrupted", { sent: false });
  return clientContext.transport(request, limits);
}
