import { MAX_INT64, MAX_U128 } from "../amount.ts";
import { base64Bytes } from "../encoding/base64.ts";
import { isJsonInteger, type JsonInteger } from "../json.ts";
import { LAST_SECOND, rfc3339Time } from "../rfc3339.ts";
import * as z from "./zod.ts";

const EXAMPLE = "2026-01-31T12:00:00Z";

/** `valid_until` of each kind, in the words of facts 5.3 and 5.8. For Stellar the service has none (facts 5.7). */
export const evmValidUntil = validUntil(`Invalid validUntil datetime format: RFC 3339 with a zone, e.g. ${EXAMPLE}`);
export const solanaValidUntil = validUntil(
  `valid_until must be a valid RFC3339 timestamp: with a zone, e.g. ${EXAMPLE}`,
);
export const stellarValidUntil = validUntil(
  "RFC 3339 with a zone, or unix seconds",
  (text) => /^[0-9]+$/.test(text) && Number(text) <= LAST_SECOND,
);

/** Accepts a time: RFC 3339 with a zone, or a text that is `another` spelling. */
function validUntil(rule: string, another = (_: string) => false): z.ZodMiniType<string> {
  return z.string().check(z.refine((text) => rfc3339Time(text) !== undefined || another(text), rule));
}

/** Accepts an absent or null field, which the real service treats alike. */
export function optionalSchema<T extends z.ZodMiniType>(schema: T): z.ZodMiniExactOptional<z.ZodMiniNullable<T>> {
  return z.exactOptional(z.nullable(schema));
}

/** Accepts an integer of a request in an inclusive range. Of a text, a rule of ours says that quotes are wrong. */
export function intSchema(
  least: bigint,
  most: bigint,
  rule = `a whole number from ${least} to ${most}`,
): z.ZodMiniType<JsonInteger> {
  return z.custom<JsonInteger>((value) => isJsonInteger(value) && BigInt(value) >= least && BigInt(value) <= most, {
    error: ({ input }) => (typeof input === "string" && rule.startsWith("a whole") ? `${rule}, without quotes` : rule),
  });
}

/** interface 1.5: `value` is u128, >= 0. */
export const u128 = intSchema(0n, MAX_U128);
/** interface 1.5: `gas_limit` and the memo ID are int64, >= 0. */
export const int64 = intSchema(0n, MAX_INT64);

export function base64Schema(rule = "base64"): z.ZodMiniString {
  return z.string().check(z.refine((text) => text !== "" && base64Bytes(text) !== undefined, rule));
}

export function problemSchemaCheck(problem: (text: string) => string | undefined): z.core.$ZodCheck<string> {
  return z.superRefine((text: string, context) => {
    const message = problem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

/** Returns a check across the fields of a body: the field to report, the service's words, and the condition. */
export function refuseIf<Body>(
  path: string,
  words: string | ((body: Body) => string),
  isBroken: (body: Body) => boolean,
): z.core.$ZodCheck<Body> {
  return z.superRefine((body: Body, context) => {
    if (!isBroken(body)) return;
    context.addIssue({ code: "custom", path: [path], message: typeof words === "string" ? words : words(body) });
  });
}
