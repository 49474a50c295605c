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
  /** Only a replacement changes it. */
  speed?: JsonValue | undefined;
}

export interface LostSend {
  id: string;
  run: string;
  /** When its intent was recorded, in milliseconds since 1970 by the clock of this machine. */
  time: number;
  /** Undefined if nothing shows which record is its own. */
  shape: Shape | undefined;
}

export function shapeOf(shown: JsonValue | undefined): Shape | undefined {
  if (!isJsonObject(shown)) return undefined;
  const version = versionOf(shown);
  const { transaction: whole, speed } = shown;
  if (version) return { content: contentOf(version), gas: wireAmount(shown.gas_limit), speed };
  return typeof whole === "string" && whole !== "" ? { content: whole, gas: undefined, speed } : undefined;
}

/** Returns what a transaction does, as one text that begins with the receiver and the value. */
export function contentOf({ to, value, data }: Version): string {
  return `${to} ${value} ${data}`;
}

export function agrees(request: Shape | undefined, record: Shape | undefined): boolean {
  if (!request || !record || request.content !== record.content) return false;
  return request.gas === undefined || request.gas === record.gas;
}

/** Returns whether a record shows that it was requested at another speed: it is another one, or was replaced. */
export function differsInSpeed(request: Shape | undefined, record: Shape | undefined): boolean {
  return typeof request?.speed === "string" && typeof record?.speed === "string" && request.speed !== record.speed;
}

export function lostSendOf({ id, run, time, body, payment }: Intent): LostSend {
  const shape = shapeOf(body);
  // The gas limit of a payment in bulk is its own, even after a replacement.
  return { id, run, time: receivedTime(time), shape: shape && payment ? { ...shape, speed: undefined } : shape };
}
