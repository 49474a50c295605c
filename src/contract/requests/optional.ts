import * as z from "zod/mini";

/** A member that may be left out or null, which the real service reads alike. */
export function optional<T extends z.ZodMiniType>(schema: T): z.ZodMiniExactOptional<z.ZodMiniNullable<T>> {
  return z.exactOptional(z.nullable(schema));
}
