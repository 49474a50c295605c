import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson, prettyJson } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import type { Resource } from "./collection.ts";
import { createState, type DemoState } from "./state.ts";

const VERSION = 1;

/** The state as JSON, without what can be generated again. It holds signing keys and whole RPC URLs. */
export function stateToText({ fleet, relayers, notifications, transactions, hashes }: DemoState): string {
  const kept = {
    version: VERSION,
    fleet,
    relayers: relayers.held(),
    notifications: notifications.held(),
    transactions: transactions.held(),
    hashes,
  };
  return `${prettyJson(kept)}\n`;
}

/**
 * The state that `stateToText` wrote. The message of an error never quotes the text and names no file: who read the
 * file knows it.
 * @throws RelayctlError
 */
export function stateFromText(text: string): DemoState {
  const kept = parsed(text);
  if (!isJsonObject(kept)) throw unreadable("it is no object");
  if (kept.version !== VERSION) throw unreadable("another version of relayctl wrote it");
  return createState({
    fleet: count(kept.fleet, "fleet"),
    relayers: resources(kept.relayers, "relayers"),
    notifications: resources(kept.notifications, "notifications"),
    transactions: resources(kept.transactions, "transactions"),
    hashes: count(kept.hashes, "hashes"),
  });
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw unreadable(error.message);
    throw error;
  }
}

function count(value: JsonValue | undefined, member: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw unreadable(`${member} is no count`);
  return value;
}

function resources(value: JsonValue | undefined, member: string): Resource[] {
  if (!Array.isArray(value) || !value.every(isResource)) throw unreadable(`${member} is no list of things with an id`);
  return value;
}

function isResource(value: JsonValue): value is Resource {
  return isJsonObject(value) && typeof value.id === "string";
}

function unreadable(reason: string): RelayctlError {
  return new RelayctlError("usage", `the state of the embedded server cannot be read: ${reason}`);
}
