import * as z from "zod/mini";
import { addressProblem, hexProblem } from "../../address.ts";
import type { JsonInteger } from "../../json.ts";
import { MAX_U128 } from "../../limits.ts";
import { SPEEDS } from "../../replacement.ts";
import { int64, integer, u128 } from "../integer.ts";
import { moment } from "../moment.ts";
import { saying } from "../saying.ts";

/** interface.md gives gas prices no upper bound; the service types them u128 (service-facts 5.3). */
const price = integer(0n, MAX_U128, `a whole number of wei from 0 to ${MAX_U128}`);

const shape = z.strictObject({
  value: u128,
  to: z.exactOptional(z.string().check(saying(addressProblem))),
  data: z.exactOptional(z.string().check(saying(hexProblem))),
  gas_limit: z.exactOptional(z.nullable(int64)),
  gas_price: z.exactOptional(price),
  max_fee_per_gas: z.exactOptional(price),
  max_priority_fee_per_gas: z.exactOptional(price),
  speed: z.exactOptional(z.enum(SPEEDS, `one of ${SPEEDS.join(", ")}`)),
  valid_until: z.exactOptional(moment("RFC 3339 with a zone, as 2026-01-31T12:00:00Z")),
});

/** The service refuses mixed prices and a tip above the fee (service-facts 5.3, rules 8 to 10); the interface leaves them open. */
export const evmReplacementSchema = shape.check(
  z.refine((body) => body.gas_price === undefined || !has1559Price(body), {
    path: ["gas_price"],
    error: "cannot be given together with max_fee_per_gas or max_priority_fee_per_gas",
  }),
  z.refine((body) => body.speed === undefined || (body.gas_price === undefined && !has1559Price(body)), {
    path: ["speed"],
    error: "cannot be given together with a price: it sets the price itself",
  }),
  z.refine(
    (body) =>
      BigInt(body.max_priority_fee_per_gas ?? 0) <= BigInt(body.max_fee_per_gas ?? body.max_priority_fee_per_gas ?? 0),
    {
      path: ["max_priority_fee_per_gas"],
      error: "must not be greater than max_fee_per_gas",
    },
  ),
);

function has1559Price(body: { max_fee_per_gas?: JsonInteger; max_priority_fee_per_gas?: JsonInteger }): boolean {
  return body.max_fee_per_gas !== undefined || body.max_priority_fee_per_gas !== undefined;
}
