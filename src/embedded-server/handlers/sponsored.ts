import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { type SponsoredVerb, sponsorProblem } from "../../contract/relayer-rules.ts";
import { type SponsoredKind, sponsoredSchemas } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { badRequest, Refusal } from "../refusal.ts";
import { sponsoredResponses } from "../sponsored/responses.ts";
import { activeRelayer } from "../transaction/lookup.ts";

/** Reads the body of a quote or build as an object, validated once the relayer is known. @throws Refusal */
export type ReadSponsored = (request: WireRequest) => JsonObject;

/** Accepts any object: the interface has no such operation. */
const readObject: ReadSponsored = (request) => {
  const body = jsonBody(request);
  if (!isJsonObject(body)) throw badRequest();
  return body;
};

/** Quotes or builds a sponsored transaction (facts 3.5). Nothing is stored: the client signs and sends the result. */
export function sponsoringBy(verb: SponsoredVerb, read: ReadSponsored): Handler {
  return async ({ ids: [id = ""], request, store, now }) => {
    const body = read(request);
    const kind = body.transaction === undefined ? "stellar" : "solana";
    return store.read((state) => {
      const relayer = activeRelayer(state, id);
      const problem = sponsorProblem(relayer, kind, verb) ?? bodyProblem(kind, body);
      if (problem !== undefined) throw new Refusal(400, problem);
      return { data: sponsoredResponses[verb][kind]({ relayer, body, now }) };
    });
  };
}

export const quoteTransaction = sponsoringBy("quote", readObject);
export const buildTransaction = sponsoringBy("build", readObject);

/** Returns the first broken rule. */
function bodyProblem(kind: SponsoredKind, body: JsonObject): string | undefined {
  return sponsoredSchemas[kind].safeParse(body).error?.issues[0]?.message;
}
