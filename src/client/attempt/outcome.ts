import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import type { Operation } from "../../contract/operation.ts";
import { type Envelope, envelopeOf, wrongEnvelopePagination } from "../../contract/reply/envelope.ts";
import {
  type KnownKeys,
  type ListItem,
  type ListReply,
  listItemsOf,
  listItemValue,
  readListReply,
} from "../../contract/reply/list-reply.ts";
import { checkShape, type Shape, setOddShapeAside } from "../../contract/reply/shape.ts";
import type { WireReply } from "../../contract/wire.ts";
import type { TransportFailure } from "../transport/transport.ts";
import { gatewayWords } from "./gateway.ts";
import { isRefusalReply, saysRefusal } from "./refusal.ts";
import { type Reply, readReply, replyFailureText, replyStatusText } from "./reply.ts";

type ListSuccess = NonNullable<ReturnType<typeof outlinedList>>;

/** Returns the list in a response without building its items; undefined if the response has to be parsed whole. */
function outlinedList({ status, body }: WireReply, mostValues: number, knownKeys: KnownKeys | undefined, shape: Shape) {
  const found = status >= 200 && status < 300 ? readListReply(body, mostValues, knownKeys, shape) : undefined;
  const envelope = found && envelopeOf(found.document);
  if (!found || !envelope?.success || wrongEnvelopePagination(envelope) !== undefined) return undefined;
  return new OutlinedList(envelope, found);
}

/** A class: a getter in each object would be a hidden class for each list, which V8 keeps for long. */
class OutlinedList implements ListSuccess {
  readonly envelope: Envelope;
  readonly items: readonly ListItem[];
  readonly release: () => void;

  constructor(envelope: Envelope, { items, release }: ListReply) {
    this.envelope = envelope;
    this.items = items;
    this.release = release;
  }

  get data(): JsonValue {
    return this.items.map(listItemValue);
  }
}

/** Returns the items of a parsed list, or the position of an invalid one: each needs an ID. */
function itemsIn(envelope: Envelope, { loose = [] }: Shape): { items: readonly ListItem[] } | { wrongAt: string } {
  const { data = null } = envelope;
  if (!Array.isArray(data)) return { wrongAt: "" };
  if (!data.every(isItem)) return { wrongAt: wrongItem(data) };
  for (const item of data) setOddShapeAside(item, loose);
  const wrongAt = wrongEnvelopePagination(envelope);
  return wrongAt === undefined ? { items: listItemsOf(data) } : { wrongAt };
}

function wrongItem(data: readonly JsonValue[]): string {
  const index = data.findIndex((item) => !isItem(item));
  return isJsonObject(data[index]) ? `${index}.id` : String(index);
}

function isItem(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && typeof value.id === "string";
}

/** The outcome of an attempt, by the rows of the table in promises 7.1. */
export type Outcome =
  | Success
  /** `final`: another attempt would fail the same way, as with a wrong certificate. */
  | { fault: "not_sent"; failure: TransportFailure; final: boolean }
  | { fault: "limited"; reply: Reply }
  | { fault: "lost"; why: string; failure?: TransportFailure; reply?: Reply }
  | { fault: "unreadable"; why: string; status: number; failure?: TransportFailure; reply?: Reply }
  | { fault: "refused"; reply: Reply };

export interface Success {
  fault: "none";
  reply: Reply;
  envelope?: Envelope;
  items?: readonly ListItem[];
  readonly data: JsonValue;
}

export type Fault = Outcome["fault"];

const FINAL: readonly string[] = ["certificate", "interrupted"];

export function failureOutcome(failure: TransportFailure): Outcome {
  if (!failure.sent) return { fault: "not_sent", failure, final: FINAL.includes(failure.reason) };
  const status = failure.status;
  if (status === undefined || !isSuccess(status)) return { fault: "lost", why: failure.message, failure };
  return { fault: "unreadable", why: failure.message, status, failure };
}

/** Bytes below which parsing the whole list is faster than outlining it with cold code. */
const LEAST_OUTLINED = 65_536;

/** The envelope decides along with the status (promises 4.3). @param knownKeys of earlier lists, for faster reading */
export function replyOutcome(
  operation: Operation,
  wire: WireReply & Pick<Reply, "hide">,
  mostValues = Number.POSITIVE_INFINITY,
  knownKeys?: KnownKeys,
): Outcome {
  const isLong = wire.body.length >= LEAST_OUTLINED;
  const outlined = operation.list && isLong && outlinedList(wire, mostValues, knownKeys, operation.data);
  if (outlined) return Object.assign(outlined, { fault: "none", reply: outlinedReply(wire, outlined) } as const);
  const reply = readReply(wire, mostValues);
  if (isExpectedFailure(operation, reply)) return { fault: "none", reply, ...bareResult(reply) };
  if (isSuccess(reply.status)) {
    const isGateway = reply.problem !== undefined && gatewayWords(reply) !== undefined;
    if (!isGateway) return outcomeOfSuccess(operation, reply);
    return { fault: "unreadable", why: replyStatusText(reply), status: reply.status, reply };
  }
  if (isRefusalReply(operation, reply)) return { fault: reply.status === 429 ? "limited" : "refused", reply };
  return { fault: "lost", why: replyStatusText(reply), reply };
}

/** Returns the response of a list. If its memory is lent, the items' memory is given back with it. */
function outlinedReply(wire: WireReply, { release: releaseItems }: ListSuccess): Reply {
  const { release: releaseBody } = wire;
  if (!releaseBody) return { ...wire, text: "" };
  const release = () => {
    releaseItems();
    releaseBody();
  };
  return { ...wire, text: "", release };
}

/** Returns the outcome of a response that may belong to another request: with a doubt, the outcome is lost. */
export function outcomeWithDoubt(outcome: Outcome, doubt: string | undefined): Outcome {
  if (doubt === undefined || !("reply" in outcome) || !outcome.reply) return outcome;
  const { reply } = outcome;
  return { fault: "lost", why: `${replyStatusText(reply)}; ${doubt}`, reply };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function isExpectedFailure({ ownFailures, alsoSucceeds, data }: Operation, reply: Reply): boolean {
  const { status, json, envelope } = reply;
  if (status === alsoSucceeds) return data(json) === undefined;
  if (!ownFailures || json === undefined) return false;
  if (envelope) return !envelope.success && (isJsonObject(envelope.data) || (status < 300 && !saysRefusal(reply)));
  return status >= 400 && !isConcurrencyLimit(reply);
}

/** Returns whether the concurrency limit refused the request, before any plugin was called (facts 1.4). */
function isConcurrencyLimit({ status, headers, json }: Reply): boolean {
  const isText = headers["content-type"]?.startsWith("text/plain") === true;
  return status === 429 && isText && objectIn(json).error === "Too many concurrent requests";
}

/** Returns whether a 429 shows who limits the rate: another gateway may have passed the request on (decision 132). */
export function isLimitOfService(reply: Reply): boolean {
  return reply.envelope !== undefined || isConcurrencyLimit(reply) || reply.headers["retry-after"] !== undefined;
}

function outcomeOfSuccess(operation: Operation, reply: Reply): Outcome {
  const { envelope, status } = reply;
  if (operation.metrics && !isPrometheusText(reply)) return { fault: "unreadable", why: NO_METRICS, status, reply };
  if (operation.bare && envelope?.success !== false && isExpectedBody(operation, reply))
    return bareOutcome(operation, reply);
  if (!envelope) return { fault: "unreadable", why: reply.problem ?? "the response has no envelope", status, reply };
  if (!envelope.success) {
    if (operation.kind === "read" || saysRefusal(reply)) return { fault: "refused", reply };
    return { fault: "lost", why: `the service reported a failure: ${replyFailureText(reply)}`, reply };
  }
  const data = envelope.data ?? null;
  if (operation.list) {
    const found = itemsIn(envelope, operation.data);
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
  const result = bareResult(reply);
  const problem = dataProblem(operation, result.data);
  return problem
    ? { fault: "unreadable", why: problem, status: reply.status, reply }
    : { fault: "none", reply, ...result };
}

/** Returns the data of a response of any shape: the envelope's, or the whole body; null if it is not JSON. */
function bareResult({ envelope, json }: Reply): Pick<Success, "data" | "envelope"> {
  return envelope ? { data: envelope.data ?? null, envelope } : { data: json ?? null };
}

/** Returns whether the body is JSON, as after every write. Any other 2xx may come from a proxy. */
function isExpectedBody(operation: Operation, reply: Reply): boolean {
  return operation.kind === "read" || reply.problem === undefined;
}

function dataProblem(operation: Operation, data: JsonValue): string | undefined {
  const place = checkShape(data, operation.data);
  return place === undefined ? undefined : problemAt(place);
}

function problemAt(place: string): string {
  return `the response does not match the API${place && `, at ${place}`}`;
}
