import * as z from "zod/mini";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** interface.md, Response envelope. Unknown members are kept, and `success` alone decides (service-facts 3.10). */
export interface Envelope extends JsonObject {
  success: boolean;
  data: JsonValue;
}

const count = z.custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= 0, "a count");

/** interface.md, Response envelope, `pagination`. */
export const paginationSchema = z.looseObject({ current_page: count, per_page: count, total_items: count });

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
  const found = z.safeParse(paginationSchema, envelope.pagination);
  return found.success ? found.data : undefined;
}
