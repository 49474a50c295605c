import type { JsonObject, JsonValue } from "../../../../src/contract/json.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import { reply } from "../../../helpers/service/reply.ts";

/** How a service says the same thing: as the interface shows it, or as the service that operators run does. */
export interface Dialect {
  name: "interface" | "real";
  success(data: JsonValue, more?: { status?: number; pagination?: JsonObject }): WireReply;
  failure(status: number, words: string): WireReply;
  /** The response for an unknown route. */
  noRoute: WireReply;
  shown(thing: JsonObject): JsonObject;
}

/** interface 1.3 and 1.4. */
export const interfaceDialect: Dialect = {
  name: "interface",
  success: (data, { pagination } = {}) =>
    json(200, {
      success: true,
      data,
      error: "",
      metadata: { logs: [], traces: [] },
      ...(pagination && { pagination }),
    }),
  failure: (status, words) => json(status, { data: null, message: words, success: false }),
  noRoute: json(404, { data: null, message: "Not found", success: false }),
  shown: (thing) => thing,
};

/** facts 1.6, 1.7 and 4.4. */
export const realDialect: Dialect = {
  name: "real",
  success: (data, { status = 200, pagination } = {}) =>
    json(
      status,
      { success: true, data, error: null, ...(pagination && { pagination }) },
      { "x-request-id": "2b26f143-f957-4028-a237-6e9184a30748" },
    ),
  failure: (status, words) => json(status, { success: false, data: null, error: words }),
  noRoute: reply(404),
  shown: masked,
};

/** A response with JSON, as both dialects send it. */
export function json(status: number, body: JsonObject, headers: Readonly<Record<string, string>> = {}): WireReply {
  return reply(status, body, { "content-type": "application/json", ...headers });
}

function masked(thing: JsonObject): JsonObject {
  const { custom_rpc_urls: urls, ...rest } = thing;
  const shown = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null || "hash" in thing));
  if (!Array.isArray(urls)) return shown;
  return {
    ...shown,
    custom_rpc_urls: urls.map((entry) => ({ weight: 100, ...(entry as JsonObject), url: mask(entry) })),
  };
}

function mask(entry: JsonValue): string {
  return String((entry as JsonObject).url).replace(/^(https?:\/\/[^/]+\/).+$/, "$1***");
}
