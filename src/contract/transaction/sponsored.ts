import { isNumber } from "../decimal.ts";
import { object, text, that } from "../reply/shape.ts";

/** The cost of a sponsored transaction: the only field of both kinds (facts 3.5). */
export const quoteShape = object({
  conversion_rate: that((value) => typeof value === "string" || (value !== undefined && isNumber(value))),
});

/** A built sponsored transaction: in both kinds, the transaction itself (facts 3.5). */
export const builtShape = object({ transaction: text });
