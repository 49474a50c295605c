import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import { spellingOf } from "../../../contract/spelling.ts";
import type { Intent } from "../../../journal/entry.ts";

/** What a run is about to send, in the spelling of the journal. */
export interface KeyedRequest {
  key: string;
  /** The origin of the service. */
  server: string;
  relayerId: string;
  body: JsonObject;
}

/** Returns how a request differs from the one that its key belongs to: in server, relayer, or fields of the body. */
export function differencesFrom({ server, ids, body }: Intent, request: KeyedRequest): string[] {
  return [
    ...(server === request.server ? [] : [`server: ${server} then, ${request.server} now`]),
    ...(ids.relayer_id === request.relayerId ? [] : [`relayer: ${ids.relayer_id} then, ${request.relayerId} now`]),
    // The journal leaves out a body that is too long for a line.
    ...(isJsonObject(body) ? bodyDifferences(body, request.body) : []),
  ];
}

function bodyDifferences(then: JsonObject, now: JsonObject): string[] {
  const fields = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...fields]
    .filter((field) => textOf(field, then[field]) !== textOf(field, now[field]))
    .map((field) => `${field}: ${shown(then[field])} then, ${shown(now[field])} now`);
}

function textOf(field: string, value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = writeJson(value);
  return spellingOf(field) === "hex" ? text.toLowerCase() : text;
}

const LONGEST_SHOWN = 100;

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "unset";
  const text = typeof value === "string" ? value : writeJson(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
