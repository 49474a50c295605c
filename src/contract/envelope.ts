import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { count, object } from "./shape.ts";

/** interface.md, Response envelope. Unknown members are kept, and `success` alone decides (service-facts 3.10). */
export interface Envelope extends JsonObject {
  success: boolean;
  data: JsonValue;
}

/** interface.md, Response envelope, `pagination`. */
const paginationShape = object({ current_page: count, per_page: count, total_items: count });

export interface Pagination {
  current_page: number;
  per_page: number;
  total_items: number;
}

/** The envelope in a parsed reply, or nothing when the reply has none. */
export function envelopeOf(value: JsonValue): Envelope | undefined {
  return isJsonObject(value) && typeof value.success === "boolean" ? (value as Envelope) : undefined;
}

/** The pagination of a list reply; absent where the service sends none, and where it sends nonsense. */
export function paginationOf(envelope: Envelope): Pagination | undefined {
  const { pagination } = envelope;
  return paginationShape(pagination) === undefined ? (pagination as unknown as Pagination) : undefined;
}
