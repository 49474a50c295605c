import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { count, nullishShape, objectShape } from "./shape.ts";

/** The response envelope (interface 1.3). Unknown fields are kept, and only `success` decides (facts 3.10). */
export interface Envelope extends JsonObject {
  success: boolean;
  data: JsonValue;
}

/** `pagination` of interface 1.3. A service may omit it, but may send only numbers in it. */
const paged = objectShape({
  pagination: nullishShape(objectShape({ current_page: count, per_page: count, total_items: count })),
});

export interface Pagination {
  current_page: number;
  per_page: number;
  total_items: number;
}

export function envelopeOf(value: JsonValue): Envelope | undefined {
  return isJsonObject(value) && typeof value.success === "boolean" ? (value as Envelope) : undefined;
}

/** Returns the path of an invalid count in a list's pagination: the list may then be incomplete. */
export function wrongEnvelopePagination(envelope: Envelope): string | undefined {
  return paged(envelope);
}

export function envelopePagination({ pagination }: Envelope): Pagination | undefined {
  return isJsonObject(pagination) ? (pagination as unknown as Pagination) : undefined;
}
