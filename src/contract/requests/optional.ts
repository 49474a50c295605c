import * as z from "zod/mini";

/** Accepts an absent or null field, which the real service treats alike. */
export function optional<T extends z.ZodMiniType>(schema: T): z.ZodMiniExactOptional<z.ZodMiniNullable<T>> {
  return z.exactOptional(z.nullable(schema));
}
