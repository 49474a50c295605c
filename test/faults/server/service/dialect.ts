import type { JsonObject, JsonValue } from "../../../../src/contract/json.ts";
import type { Reply } from "../reply.ts";

/** How a service says the same thing: as the interface shows it, or as the service that operators run does. */
export interface Dialect {
  name: "interface" | "real";
  success(data: JsonValue, more?: { status?: number; pagination?: JsonObject }): Reply;
  failure(status: number, words: string): Reply;
  /** The reply where there is no such route. */
  noRoute: Reply;
  /** A thing as it is returned. */
  shown(thing: JsonObject): JsonObject;
}

/** interface 1.3 and 1.4. */
export const interfaceDialect: Dialect = {
  name: "interface",
  success: (data, { pagination } = {}) => ({
    status: 200,
    json: {
      success: true,
      data,
      error: "",
      metadata: { logs: [], traces: [] },
      ...(pagination && { pagination }),
    },
  }),
  failure: (status, words) => ({ status, json: { data: null, message: words, success: false } }),
  noRoute: { status: 404, json: { data: null, message: "Not found", success: false } },
  shown: (thing) => thing,
};

/** facts 1.6, 1.7 and 4.4. */
export const realDialect: Dialect = {
  name: "real",
  success: (data, { status = 200, pagination } = {}) => ({
    status,
    headers: { "x-request-id": "2b26f143-f957-4028-a237-6e9184a30748" },
    json: { success: true, data, error: null, ...(pagination && { pagination }) },
  }),
  failure: (status, words) => ({ status, json: { success: false, data: null, error: words } }),
  noRoute: { status: 404 },
  shown: masked,
};

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
