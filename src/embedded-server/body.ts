import { JsonSyntaxError, type JsonValue, parseJson } from "../contract/json.ts";
import type { WireRequest } from "../contract/wire.ts";
import { badRequest, malformed } from "./refusal.ts";
import { syntaxWords } from "./syntax-words.ts";

/** The part of a zod schema that is asked here. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/** `application/json`, or a type that ends with `+json`, with or without parameters (facts 1.8). */
const JSON_TYPE = /^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i;

/**
 * The body of a request as JSON (interface 1.1).
 * @throws Refusal if it has another type, is not JSON, or has a member twice
 */
export function jsonBody({ headers, body }: WireRequest): JsonValue {
  if (!JSON_TYPE.test(headers["content-type"] ?? "")) throw malformed("Content type error");
  try {
    return parseJson(body ?? "");
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw malformed(`Json deserialize error: ${syntaxWords(error, body ?? "")}`);
    throw error;
  }
}

/**
 * The value as what the schema describes.
 * @throws Refusal
 */
export function valid<T>(schema: Schema<T>, value: JsonValue): T {
  const found = schema.safeParse(value);
  if (!found.success) throw badRequest();
  return found.data;
}
