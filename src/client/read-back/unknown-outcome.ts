import type { JsonObject } from "../../contract/json.ts";
import { isTxBeingCanceled, type Transaction } from "../../contract/transaction/transaction.ts";
import { CHECK_FIRST, MAYBE_APPLIED, RelayctlError, recover } from "../../errors.ts";
import { attemptTimeText, failedHttpFacts } from "../attempt/failed-attempt.ts";
import type { Outcome } from "../attempt/outcome.ts";
import { looksLikeHtml } from "../attempt/shown-text.ts";
import type { ClientContext } from "../client-context.ts";
import type { ApiRequest, ApiResult, WriteFacts } from "../request.ts";
import type { Difference } from "./compare.ts";
import { compareWithResponse } from "./compare-with-response.ts";
import { identityInBody, wrongIdentity } from "./identity.ts";
import { mismatchText } from "./mismatch.ts";
import { canBeReadBack, readTarget } from "./target.ts";

type Lost = Outcome & { fault: "lost" | "unreadable" };

/** Can only prove that the write was applied: it may be on its way (promises 7.2). @throws RelayctlError unknown */
export async function readBack(
  request: ApiRequest,
  outcome: Outcome,
  clientContext: ClientContext,
  facts: WriteFacts,
): Promise<ApiResult> {
  const proofIn = (found: ReadBackResult) =>
    request.operation.kind === "remove"
      ? removalProvenBy(request, found, facts)
      : found.seen && provenBy(request, outcome as Lost, found.seen, facts);
  let found = await readBackNow(request, clientContext);
  let proof = proofIn(found);
  // Another instance of the same balancer may show the write already, or may still have what is missing here.
  if ((found.seen && !proof) || (found.gone && clientContext.inBulk)) {
    found = await readBackNow(request, clientContext);
    proof = proofIn(found);
  }
  if (!proof) throw unknownError(request, outcome as Lost, found, facts);
  return { ...proof, lost: lostText(outcome as Lost) };
}

/** The data that proves an earlier write, or lines about what was read instead. */
export type EarlierWrite = { data: ApiResult["data"] } | { because: readonly string[] };

/** Reads the target of an earlier write, by the rule of `readBack`. A resource with its own ID may have changed since. */
export async function readBackEarlier(
  request: ApiRequest,
  clientContext: ClientContext,
  ownId: boolean,
): Promise<EarlierWrite> {
  const found = await readBackNow(request, clientContext);
  const { seen } = found;
  if (request.operation.kind === "remove") {
    const proof = removalProvenBy(request, found, {});
    return proof ? { data: proof.data } : { because: readBackLines(request, found) };
  }
  const isProven = seen && (ownId ? !wrongIdentity(request, seen.data) : isAsRequested(request, seen));
  return isProven ? { data: seen.data } : { because: readBackLines(request, found) };
}

/** Returns why a transaction existed before the request; undefined if nothing shows it. */
export type WhyEarlier = (seen: ApiResult<Transaction>) => Promise<string | undefined>;

/** Returns the error for a write whose outcome a read can't prove, with the values that were read. */
export async function unknownOutcome(
  request: ApiRequest,
  outcome: Outcome,
  clientContext: ClientContext,
  earlier?: WhyEarlier,
): Promise<RelayctlError> {
  return unknownError(request, outcome as Lost, await readBackNow(request, clientContext, earlier));
}

/**
 * Returns the proof of a removal. A missing resource is removed; a transaction is canceled if its record says so, or
 * says that it will be (promises 7.2). A missing transaction may have ended in any way: the service deletes old records
 * (facts 5.1). A record that said so before the request proves nothing.
 */
function removalProvenBy({ operation }: ApiRequest, { seen, gone }: ReadBackResult, { before }: WriteFacts) {
  if (gone && operation.id !== "tx.cancel") return { data: {}, body: new Uint8Array(), unconfirmed: [] };
  const transaction = seen?.data as Transaction | undefined;
  if (before && isTxBeingCanceled(before as Transaction)) return undefined;
  return transaction && (transaction.status === "canceled" || isTxBeingCanceled(transaction)) ? seen : undefined;
}

function provenBy(request: ApiRequest, outcome: Lost, seen: ApiResult, facts: WriteFacts): ApiResult | undefined {
  if (wrongIdentity(request, seen.data)) return undefined;
  const { different, unconfirmed } = compareWithResponse(request, seen.data);
  if (facts.ownId && different.length > 0) throw appliedOtherwise(different, outcome);
  if (facts.ownId) return { ...seen, unconfirmed };
  return isAsRequested(request, seen) ? seen : undefined;
}

/** Returns whether a resource shows every requested value, which doesn't prove a create. */
function isAsRequested(request: ApiRequest, seen: ApiResult): boolean {
  if (request.operation.kind === "create" || wrongIdentity(request, seen.data)) return false;
  const { different, unconfirmed } = compareWithResponse(request, seen.data);
  return different.length + unconfirmed.length === 0;
}

/** Returns the error for a create applied with differences: finding its generated ID proves that it was applied. */
function appliedOtherwise(different: readonly Difference[], outcome: Lost): RelayctlError {
  const because = [
    `${lostText(outcome)}; reading it back from the service showed this`,
    ...different.map(mismatchText),
  ];
  return new RelayctlError("mismatch", "applied, but not as requested", { applied: "yes", because });
}

function lostText({ fault, reply, why }: Lost): string {
  return fault === "lost" && reply ? why : `the response was lost (${why})`;
}

function unknownError(request: ApiRequest, outcome: Lost, found: ReadBackResult, { ownId }: WriteFacts = {}) {
  const interrupted = outcome.failure?.reason === "interrupted";
  const isAccepted = outcome.fault === "unreadable" && !looksLikeHtml(outcome.reply?.text ?? "");
  return new RelayctlError(interrupted ? "interrupted" : "unknown", `${MAYBE_APPLIED}${outcome.why}`, {
    applied: "unknown",
    because: [
      ...(isAccepted ? [`the service accepted it (status ${outcome.status}), details are unknown`] : []),
      ...(ownId ? [`the request was sent with the ID ${identityInBody(request)}`] : []),
      ...readBackLines(request, found),
      CHECK_FIRST,
    ],
    cause: outcome.failure,
    ...(outcome.reply && { http: failedHttpFacts(request, outcome.reply.status) }),
  });
}

interface ReadBackResult {
  at: number;
  seen?: ApiResult;
  earlier?: string | undefined;
  problem?: string;
  gone?: true;
}

/** Reads the target of a write. Returns a problem instead of throwing. */
async function readBackNow(
  request: ApiRequest,
  clientContext: ClientContext,
  whyEarlier?: WhyEarlier,
): Promise<ReadBackResult> {
  // One of many payments is looked for by its gas limit after the last one: the newest transaction says nothing about it.
  const isLaterFound = request.operation.id === "tx.send" && clientContext.inBulk;
  if (isLaterFound || !canBeReadBack(request)) return { at: clientContext.clock.now() };
  try {
    const seen = await readTarget(request, clientContext);
    const earlier = whyEarlier && (await recover(whyEarlier(seen as ApiResult<Transaction>), () => undefined));
    return { at: clientContext.clock.now(), seen, earlier };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const gone = error.failure === "not_found" && { gone: true as const };
    return { at: clientContext.clock.now(), problem: getProblem(request, error), ...gone };
  }
}

function getProblem({ operation }: ApiRequest, { failure, message, http }: RelayctlError): string {
  // The response has a transaction of another relayer.
  const isResponse = http?.status === 200;
  if (failure === "not_found") return operation.id === "tx.send" || isResponse ? message : "it does not exist";
  return `it could not be read back: ${failure === "interrupted" ? failure : message}`;
}

function readBackLines(request: ApiRequest, { at, seen, earlier, problem }: ReadBackResult): string[] {
  const when = `at ${attemptTimeText(at)}`;
  if (problem !== undefined) return [`${when} ${problem}`];
  if (!seen) return [`${request.operation.kind === "once" ? "a call" : "what this changes"} cannot be read back`];
  if (request.operation.kind === "remove") return [`${when} the service still shows it; the request may still arrive`];
  const { different, unconfirmed } = compareWithResponse(request, seen.data as JsonObject);
  if (request.operation.id === "tx.send")
    return [`${when} ${newestText(seen.data, different.length === 0 && !earlier)}`];
  const lines = different.map(
    (difference) => `${when} the service shows ${mismatchText(difference)}; it may still arrive`,
  );
  const hidden = unconfirmed.map((path) => `${path} cannot be read back`);
  return lines.length + hidden.length === 0
    ? [`${when} the service shows the requested values, which proves nothing here`]
    : [...lines, ...hidden];
}

function newestText({ id, status, created_at: created }: JsonObject, hasRequestedValues: boolean): string {
  const which = hasRequestedValues
    ? "it matches the request and may be its result"
    : "it is a different transaction, and the request may still arrive";
  return `the newest transaction of the relayer is ${id}, ${status}, of ${created}: ${which}`;
}
