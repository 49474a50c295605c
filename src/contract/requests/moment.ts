import * as z from "zod/mini";

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** A point in time: RFC 3339 with a zone, or a text that matches `other`. */
export function moment(rule: string, other?: RegExp): z.ZodMiniType<string> {
  return z
    .string()
    .check(
      z.refine((text) => (RFC3339.test(text) && Number.isFinite(Date.parse(text))) || other?.test(text) === true, rule),
    );
}
