import { createHmac } from "node:crypto";
import { strictUtf8 } from "../contract/encoding/utf8.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { STATUSES, txStatus } from "../contract/transaction/transaction.ts";
import type { ReceivedRequest, ReceiverReply, RequestHead } from "../contract/webhook/receiver.ts";
import { verifyWebhookWith } from "../contract/webhook/signature.ts";
import { createRecent, LONGEST_ID } from "./recent.ts";

export interface IntakeOptions {
  /** Each delivery needs one; without any, signatures aren't verified. */
  keys: readonly string[];
  /** Milliseconds by which an event may be old, or in the future (default: any). */
  tolerance?: number | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** An event that was accepted for the first time. */
export interface AcceptedEvent {
  id: string;
  event: JsonObject;
  /** The body that the event was read from, as text. */
  text: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** Of the verified signature's key; absent without one. */
  key?: number;
  /** Whether a newer event of the same transaction or relayer came before it. */
  isLate: boolean;
}

/** Why a delivery is refused: the words for the user, and the status of the response. */
export interface DeliveryRefusal {
  reason: string;
  status: number;
}

export type IntakeResult =
  | { kind: "event"; accepted: AcceptedEvent }
  /** @property count how often the event was delivered */
  | { kind: "repeat"; id: string; count: number; key?: number }
  | ({ kind: "refused" } & DeliveryRefusal);

/** The words for signatures that are not verified. Without keys nothing is verified, and the body is always bytes. */
const UNVERIFIED: Readonly<Record<string, string>> = {
  missing: "no signature",
  several: "several signatures",
  malformed: "malformed signature",
};

/** Returns a function that validates deliveries in order of arrival, the signature first, and remembers them. */
export function createIntake({ keys, tolerance, now }: IntakeOptions) {
  const counts = createRecent<number>();
  const isLate = createOrder();
  const validated = (headers: RequestHead["headers"], body: Uint8Array): Valid | DeliveryRefusal => {
    const verified =
      keys.length === 0 ? undefined : verifyWebhookWith(intakeSignature, body, headers["x-signature"], keys);
    if (verified?.verified === false) return { status: 401, reason: UNVERIFIED[verified.reason] ?? "wrong signature" };
    const read = objectIn(body);
    if (!read) return { status: 400, reason: "not a JSON object" };
    const { event, text } = read;
    const { id } = event;
    if (typeof id !== "string" || id === "" || id.length > LONGEST_ID) return { status: 400, reason: "no event ID" };
    const receivedAt = now();
    const problem = tolerance === undefined ? undefined : ageProblem(event, receivedAt, tolerance);
    return problem === undefined
      ? { id, event, text, receivedAt, ...(verified && { key: verified.key }) }
      : { status: 401, reason: problem };
  };
  return ({ headers, body }: ReceivedRequest): IntakeResult => {
    const valid = validated(headers, body);
    if ("reason" in valid) return { kind: "refused", ...valid };
    const { id, event, key } = valid;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count > 1) return { kind: "repeat", id, count, ...(key !== undefined && { key }) };
    return { kind: "event", accepted: { ...valid, isLate: isLate(event) } };
  };
}

type Valid = Omit<AcceptedEvent, "isLate">;

function objectIn(body: Uint8Array) {
  const text = strictUtf8(body);
  const event = text === undefined ? undefined : tryParseJson(text);
  return text !== undefined && isJsonObject(event) ? { event, text } : undefined;
}

function ageProblem({ timestamp }: JsonObject, now: number, tolerance: number): string | undefined {
  const time = parseNanoseconds(timestamp);
  if (time === undefined) return "no timestamp";
  const age = now - Number(time / 1_000_000n);
  if (age > tolerance) return "too old";
  return age < -tolerance ? "from the future" : undefined;
}

/** Returns why a delivery is refused by its head; undefined if its body is to be read. */
export function intakeHeadProblem({ method, headers }: RequestHead): DeliveryRefusal | undefined {
  if (method !== "POST") return { status: 405, reason: `method ${method}` };
  // Browsers send it with each POST, and the service never does: a page must not be able to reach this port.
  if (headers.origin !== undefined) return { status: 403, reason: "from a web page" };
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") return { status: 415, reason: "compressed body" };
  return undefined;
}

export function intakeRefusalReply({ status, reason }: DeliveryRefusal): ReceiverReply {
  const headers = { "content-type": "text/plain; charset=utf-8", ...(status === 405 && { allow: "POST" }) };
  return { status, headers, text: `${reason}\n` };
}

/**
 * Returns a function that takes events in order of arrival, and returns whether an event is late: a newer one of the
 * same transaction or relayer came first, by timestamp, then by rank (facts 7.1). Without a readable timestamp, it is
 * never late.
 */
function createOrder(): (event: JsonObject) => boolean {
  const newest = createRecent<{ time: bigint; rank: number }>();
  return (event) => {
    const subject = deliverySubject(event);
    const time = parseNanoseconds(event.timestamp);
    if (subject === undefined || time === undefined) return false;
    const moment = { time, rank: statusRank(event) };
    const before = newest.get(subject);
    const isLate =
      before !== undefined && (moment.time === before.time ? moment.rank < before.rank : moment.time < before.time);
    if (!isLate) newest.set(subject, moment);
    return isLate;
  };
}

function deliverySubject({ event, payload }: JsonObject): string | undefined {
  if (!isJsonObject(payload)) return undefined;
  const relayer = isJsonObject(payload.relayer) ? payload.relayer.id : undefined;
  const id = event === "transaction_update" ? payload.id : relayer;
  if (typeof event !== "string" || typeof id !== "string") return undefined;
  return event.length + id.length < LONGEST_ID ? `${event} ${id}` : undefined;
}

function statusRank({ payload }: JsonObject): number {
  const statuses: readonly string[] = STATUSES;
  return isJsonObject(payload) ? statuses.indexOf(txStatus(payload)) : -1;
}

const RFC_3339 = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/;

/** Returns a time of the service, with nine decimals, in nanoseconds since 1970, if it is valid. */
function parseNanoseconds(text: unknown): bigint | undefined {
  const [, seconds, fraction = "", zone] = RFC_3339.exec(typeof text === "string" ? text : "") ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  const milliseconds = receivedTime(`${seconds.replace(" ", "T")}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

/** Returns the same signature as `webhookSignature` of the contract, in a fraction of the time. */
export function intakeSignature(signingKey: string, body: Uint8Array): string {
  return createHmac("sha256", signingKey).update(body).digest("base64");
}
