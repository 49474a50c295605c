import * as z from "./zod.ts";

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;
const EXAMPLE = "2026-01-31T12:00:00Z";

/** `valid_until` of each kind, in the words of facts 5.3 and 5.8. For Stellar the service has none (facts 5.7). */
export const evmValidUntil = validUntil(`Invalid validUntil datetime format: RFC 3339 with a zone, e.g. ${EXAMPLE}`);
export const solanaValidUntil = validUntil(
  `valid_until must be a valid RFC3339 timestamp: with a zone, e.g. ${EXAMPLE}`,
);
export const stellarValidUntil = validUntil("RFC 3339 with a zone, or unix seconds", /^[0-9]+$/);

/** Accepts a time: RFC 3339 with a zone, or a text that matches `other`. */
function validUntil(rule: string, other?: RegExp): z.ZodMiniType<string> {
  return z
    .string()
    .check(
      z.refine((text) => (RFC3339.test(text) && Number.isFinite(Date.parse(text))) || other?.test(text) === true, rule),
    );
}
