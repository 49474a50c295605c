import { isNumber } from "../decimal.ts";
import { object, text, that } from "../reply/shape.ts";

/** What a sponsored transaction would cost: the only member of both kinds (facts 3.5). */
export const quoteShape = object({
  conversion_rate: that((value) => typeof value === "string" || (value !== undefined && isNumber(value))),
});

/** A sponsored transaction that was built: of both kinds, the transaction itself (facts 3.5). */
export const builtShape = object({ transaction: text });
