import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { SponsoredKind } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { jsonBody } from "../body.ts";
import { badRequest } from "../refusal.ts";

/**
 * Reads the body of a quote or a build as an object. What is wrong with its members is judged once its relayer is known.
 * @throws Refusal
 */
export type ReadSponsored = (request: WireRequest) => JsonObject;

/** The interface shows no such operation: whatever is an object will do. */
export const readObject: ReadSponsored = (request) => {
  const body = jsonBody(request);
  if (!isJsonObject(body)) throw badRequest();
  return body;
};

/** By the member that only one of the two shapes has (facts 3.5). */
export function sponsoredKindOf(body: JsonObject): SponsoredKind {
  return body.transaction === undefined ? "stellar" : "solana";
}
