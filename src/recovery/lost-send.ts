import { type Version, versionOf } from "../chain/verdict/version.ts";
import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonValue } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import type { Intent } from "../journal/entry.ts";

/** By what a request is recognized in a record: what it does, and the gas limit that it asks for (facts 15.11). */
export interface Shape {
  /** The receiver, value, and data, or a whole transaction that was built elsewhere. */
  content: string;
  /** Undefined if the service chooses it. */
  gas: bigint | undefined;
}

/** A request that may have created a transaction. */
export interface LostSend {
  /** The ID of its intent. */
  id: string;
  run: string;
  /** When its intent was recorded, in milliseconds since 1970 by the clock of this machine. */
  time: number;
  /** Undefined if nothing shows which record is its own. */
  shape: Shape | undefined;
}

/** Returns what a request or a record shows; undefined if that is too little. */
export function shapeOf(shown: JsonValue | undefined): Shape | undefined {
  if (!isJsonObject(shown)) return undefined;
  const version = versionOf(shown);
  if (version) return { content: contentOf(version), gas: wireAmount(shown.gas_limit) };
  const { transaction: whole } = shown;
  return typeof whole === "string" && whole !== "" ? { content: whole, gas: undefined } : undefined;
}

/** Returns what a transaction does, as one text that begins with the receiver and the value. */
export function contentOf({ to, value, data }: Version): string {
  return `${to} ${value} ${data}`;
}

/** Returns whether a request can have created what a record shows. */
export function agrees(request: Shape | undefined, record: Shape | undefined): boolean {
  if (!request || !record || request.content !== record.content) return false;
  return request.gas === undefined || request.gas === record.gas;
}

/** Returns the request of an intent. */
export function lostSendOf({ id, run, time, body }: Intent): LostSend {
  return { id, run, time: receivedTime(time), shape: shapeOf(body) };
}
