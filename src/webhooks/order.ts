import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { STATUSES, statusOf } from "../contract/transaction/transaction-state.ts";
import { createRecent } from "./recent.ts";

/** When an event happened, and how far its transaction had come. */
interface Moment {
  time: bigint;
  rank: number;
}

/** The longest subject that is remembered; longer ones are no IDs of the service. */
const LONGEST_SUBJECT = 256;

/**
 * Returns a function that takes events in order of arrival, and returns whether one is late: a newer event of the same
 * transaction or relayer came before it, by timestamp, then by the rank of the status (facts 7.1). An event without a
 * readable timestamp is never late.
 * @param most the number of transactions and relayers that are remembered
 */
export function createOrder(most: number): (event: JsonObject) => boolean {
  const newest = createRecent<Moment>(most);
  return (event) => {
    const subject = subjectOf(event);
    const time = nanoseconds(event.timestamp);
    if (subject === undefined || time === undefined) return false;
    const moment = { time, rank: rankOf(event) };
    const before = newest.get(subject);
    const isLate = before !== undefined && isBefore(moment, before);
    if (!isLate) newest.set(subject, moment);
    return isLate;
  };
}

function isBefore(one: Moment, other: Moment): boolean {
  return one.time === other.time ? one.rank < other.rank : one.time < other.time;
}

/** Returns what an event is about: a transaction, or the state of a relayer. */
function subjectOf({ event, payload }: JsonObject): string | undefined {
  if (!isJsonObject(payload)) return undefined;
  const relayer = isJsonObject(payload.relayer) ? payload.relayer.id : undefined;
  const id = event === "transaction_update" ? payload.id : relayer;
  if (typeof event !== "string" || typeof id !== "string") return undefined;
  return event.length + id.length < LONGEST_SUBJECT ? `${event} ${id}` : undefined;
}

function rankOf({ payload }: JsonObject): number {
  const statuses: readonly string[] = STATUSES;
  return isJsonObject(payload) ? statuses.indexOf(statusOf(payload)) : -1;
}

const RFC_3339 = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/;

/** Returns a time of the service in nanoseconds since 1970, of which it sends nine digits; undefined if it is none. */
export function nanoseconds(text: unknown): bigint | undefined {
  const [, seconds, fraction = "", zone] = RFC_3339.exec(typeof text === "string" ? text : "") ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  const milliseconds = receivedTime(`${seconds.replace(" ", "T")}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}
