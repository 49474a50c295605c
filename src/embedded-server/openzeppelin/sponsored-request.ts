import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { SponsoredVerb } from "../../contract/relayer-rules.ts";
import type { ReadSponsored } from "../sponsored/request.ts";
import { fits, listOf, optional, type Read, ShapeError, struct, text } from "./serde.ts";
import { typedBody } from "./typed-body.ts";

const anything: Read<JsonValue> = (value) => value;

const SHAPES: readonly Read<unknown>[] = [
  struct("Solana", { transaction: text, fee_token: text }, { required: ["transaction", "fee_token"] }),
  struct(
    "Stellar",
    {
      transaction_xdr: optional(text),
      operations: optional(listOf(anything)),
      source_account: optional(text),
      fee_token: text,
    },
    { required: ["fee_token"] },
  ),
];

/** The service's own name for the two shapes together, which its message contains (facts 3.5). */
const ENUMS: Record<SponsoredVerb, string> = {
  quote: "SponsoredTransactionQuoteRequest",
  build: "SponsoredTransactionBuildRequest",
};

/** One of the two shapes, or a text that names neither (facts 1.8, 3.5). */
export function readSponsored(verb: SponsoredVerb): ReadSponsored {
  return (request) =>
    typedBody(request, (value) => {
      if (!SHAPES.some((read) => fits(read, value)))
        throw new ShapeError(`data did not match any variant of untagged enum ${ENUMS[verb]}`);
      return value as JsonObject;
    });
}
