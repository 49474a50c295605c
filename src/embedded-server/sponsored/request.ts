import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { SponsoredKind } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { jsonBody } from "../body.ts";
import { badRequest } from "../refusal.ts";

/**
 * Reads the body of a quote or build as an object. Its fields are validated once the relayer is known.
 * @throws Refusal
 */
export type ReadSponsored = (request: WireRequest) => JsonObject;

/** Accepts any object: the interface has no such operation. */
export const readObject: ReadSponsored = (request) => {
  const body = jsonBody(request);
  if (!isJsonObject(body)) throw badRequest();
  return body;
};

/** Returns the kind by the field that only one of the two shapes has (facts 3.5). */
export function sponsoredKindOf(body: JsonObject): SponsoredKind {
  return body.transaction === undefined ? "stellar" : "solana";
}
