import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Envelope } from "../../contract/reply/envelope.ts";
import type { ListItem } from "../../contract/reply/list-reply.ts";
import type { WireReply } from "../../contract/wire.ts";
import { itemsIn, outlinedList } from "../pagination/list-outcome.ts";
import type { TransportFailure } from "../transport/transport.ts";
import { refuses, saysRefused } from "./refusal.ts";
import { failureText, type Reply, readReply, returnedText } from "./reply.ts";

/** The outcome of one attempt. The faults are the rows of the table in promises 7.1. */
export type Outcome =
  | Success
  /** `final`: another attempt would meet the same, as with a wrong certificate. */
  | { fault: "not_sent"; failure: TransportFailure; final: boolean }
  | { fault: "limited"; reply: Reply }
  | { fault: "lost"; why: string; failure?: TransportFailure; reply?: Reply }
  | { fault: "unreadable"; why: string; status: number; failure?: TransportFailure; reply?: Reply }
  | { fault: "refused"; reply: Reply };

/** `items` are those of a list; its `data` is built when it is asked for. */
export interface Success {
  fault: "none";
  reply: Reply;
  envelope?: Envelope;
  items?: readonly ListItem[];
  readonly data: JsonValue;
}

export type Fault = Outcome["fault"];

const FINAL: readonly string[] = ["certificate", "interrupted"];

/** Judges an attempt that gave no complete reply. */
export function outcomeOfFailure(failure: TransportFailure): Outcome {
  if (!failure.sent) return { fault: "not_sent", failure, final: FINAL.includes(failure.reason) };
  const status = failure.status;
  if (status === undefined || !isSuccess(status)) return { fault: "lost", why: failure.message, failure };
  return { fault: "unreadable", why: failure.message, status, failure };
}

/** A shorter list is read whole sooner than code that runs for the first time could outline it. */
const LEAST_OUTLINED = 65_536;

/**
 * Validates a complete response: the envelope decides, not the status alone (promises 4.3).
 * @param mostValues how many JSON values it may contain
 */
export function outcomeOfReply(operation: Operation, wire: WireReply, mostValues = Number.POSITIVE_INFINITY): Outcome {
  const isLong = wire.body.length >= LEAST_OUTLINED;
  const outlined = operation.list && isLong && outlinedList(wire, mostValues);
  if (outlined) return Object.assign(outlined, { fault: "none", reply: { ...wire, text: "" } } as const);
  const reply = readReply(wire, mostValues);
  if (isExpectedFailure(operation, reply)) return { fault: "none", reply, ...bareResult(reply) };
  if (reply.status === 429) return { fault: "limited", reply };
  if (isSuccess(reply.status)) return outcomeOfSuccess(operation, reply);
  if (refuses(operation, reply)) return { fault: "refused", reply };
  return { fault: "lost", why: returnedText(reply), reply };
}

/** Judges again what may not be the response to the request: then nothing is known. */
export function doubted(outcome: Outcome, doubt: string | undefined): Outcome {
  if (doubt === undefined || !("reply" in outcome) || !outcome.reply) return outcome;
  const { reply } = outcome;
  return { fault: "lost", why: `${returnedText(reply)}; ${doubt}`, reply };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** A reply that is no success by its status, and an answer of what was asked all the same. */
function isExpectedFailure({ ownFailures, alsoSucceeds, data }: Operation, reply: Reply): boolean {
  const { status, json, envelope } = reply;
  if (status === alsoSucceeds) return data(json) === undefined;
  if (!ownFailures || json === undefined) return false;
  if (envelope) return !envelope.success && (isJsonObject(envelope.data) || (status < 300 && !saysRefused(reply)));
  return status >= 400 && !isConcurrencyLimit(reply);
}

/** facts 1.4: sent before a plugin is called. The other limit has an envelope; a plugin's own 429 has neither. */
function isConcurrencyLimit({ status, headers, json }: Reply): boolean {
  const isText = headers["content-type"]?.startsWith("text/plain") === true;
  return status === 429 && isText && isJsonObject(json) && json.error === "Too many concurrent requests";
}

function outcomeOfSuccess(operation: Operation, reply: Reply): Outcome {
  const { envelope, status } = reply;
  if (operation.metrics && !isPrometheusText(reply)) return { fault: "unreadable", why: NO_METRICS, status, reply };
  if (operation.bare && envelope?.success !== false && isExpectedBody(operation, reply))
    return bareOutcome(operation, reply);
  if (!envelope) return { fault: "unreadable", why: reply.problem ?? "the response has no envelope", status, reply };
  if (!envelope.success) {
    if (operation.kind === "read" || saysRefused(reply)) return { fault: "refused", reply };
    return { fault: "lost", why: `the service reported a failure: ${failureText(reply)}`, reply };
  }
  const data = envelope.data ?? null;
  if (operation.list) {
    const found = itemsIn(envelope);
    if ("wrongAt" in found) return { fault: "unreadable", why: problemAt(found.wrongAt), status, reply };
    return { fault: "none", reply, envelope, data, items: found.items };
  }
  const problem = dataProblem(operation, data);
  if (problem) return { fault: "unreadable", why: problem, status, reply };
  return { fault: "none", reply, envelope, data };
}

const NO_METRICS = "the response is not metrics text; it may come from a proxy";

function isPrometheusText({ headers, text }: Reply): boolean {
  const type = headers["content-type"] ?? "text/plain";
  return /^(?:text\/plain|application\/openmetrics-text)\b/i.test(type) && !text.trimStart().startsWith("<");
}

function bareOutcome(operation: Operation, reply: Reply): Outcome {
  const answer = bareResult(reply);
  const problem = dataProblem(operation, answer.data);
  return problem
    ? { fault: "unreadable", why: problem, status: reply.status, reply }
    : { fault: "none", reply, ...answer };
}

/** What a reply without a shape of its own says: the data of its envelope, else all of it; null for what is no JSON. */
function bareResult({ envelope, json }: Reply): Pick<Success, "data" | "envelope"> {
  return envelope ? { data: envelope.data ?? null, envelope } : { data: json ?? null };
}

/** Every write is answered with JSON: anything else that says 2xx may be a proxy's, and then nothing was done. */
function isExpectedBody(operation: Operation, reply: Reply): boolean {
  return operation.kind === "read" || reply.problem === undefined;
}

function dataProblem(operation: Operation, data: JsonValue): string | undefined {
  const place = operation.data(data);
  return place === undefined ? undefined : problemAt(place);
}

function problemAt(place: string): string {
  return `the response does not match the API${place && `, at ${place}`}`;
}
