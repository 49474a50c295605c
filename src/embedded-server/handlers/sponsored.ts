import type { JsonObject } from "../../contract/json.ts";
import { type SponsoredVerb, sponsorProblem } from "../../contract/relayer-rules.ts";
import { type SponsoredKind, sponsoredSchemas } from "../../contract/requests.ts";
import type { Handler } from "../handler.ts";
import { Refusal } from "../refusal.ts";
import { type ReadSponsored, readObject, sponsoredKindOf } from "../sponsored/request.ts";
import { sponsoredResponses } from "../sponsored/responses.ts";
import { activeRelayer } from "../transaction/lookup.ts";

/** Quotes or builds a sponsored transaction (facts 3.5). Nothing is stored: the client signs and sends the result. */
export function sponsoringBy(verb: SponsoredVerb, read: ReadSponsored): Handler {
  return async ({ ids: [id = ""], request, store, now }) => {
    const body = read(request);
    const kind = sponsoredKindOf(body);
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
