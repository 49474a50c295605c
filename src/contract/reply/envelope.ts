import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { count, nullish, object } from "./shape.ts";

/** interface 1.3. Unknown members are kept, and only `success` decides (facts 3.10). */
export interface Envelope extends JsonObject {
  success: boolean;
  data: JsonValue;
}

/** `pagination` of interface 1.3. A service may leave it out; one that sends it has to send a number. */
const paged = object({ pagination: nullish(object({ current_page: count, per_page: count, total_items: count })) });

export interface Pagination {
  current_page: number;
  per_page: number;
  total_items: number;
}

/** The envelope in a parsed reply, or nothing when the reply has none. */
export function envelopeOf(value: JsonValue): Envelope | undefined {
  return isJsonObject(value) && typeof value.success === "boolean" ? (value as Envelope) : undefined;
}

/** The place of what is no count in the pagination of a list reply: whether such a list is whole cannot be told. */
export function wrongPagination(envelope: Envelope): string | undefined {
  return paged(envelope);
}

/** The pagination of a list reply in which nothing is wrong; absent where the service sends none. */
export function paginationOf({ pagination }: Envelope): Pagination | undefined {
  return isJsonObject(pagination) ? (pagination as unknown as Pagination) : undefined;
}
