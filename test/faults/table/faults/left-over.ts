import { reply } from "../../../helpers/service/reply.ts";
import { rawReply } from "../../server/reply.ts";
import type { Step } from "../../server/script.ts";
import { APPLY, answer, HANG, READ, send } from "../fault.ts";

const failure = (words: string) => `{"success":false,"data":null,"error":"${words}"}`;

/** Refusals that belong to no request, or to another one. */
export const REFUSALS_OF_OTHERS: readonly (readonly [string, string])[] = [
  ["400", rawReply(reply(400, failure("Bad Request")))],
  ["401", rawReply(reply(401, failure("Unauthorized")))],
  ["404", rawReply(reply(404, failure("Relayer not found")))],
  ["429", rawReply(reply(429, "", { "retry-after": "0" }))],
  ["302", rawReply(reply(302, ""))],
  ["a refusal with 200", rawReply(reply(200, failure("Relayer is paused")))],
  ["a refusal that says it is the last", rawReply(reply(400, "", { connection: "close" }))],
];

/** A response that is left over on a connection which carries one request after the other. */
export interface LeftOver {
  name: string;
  /** Which of the requests it happens to, from 0. */
  to: number;
  steps: readonly Step[];
}

const ASKED_HERE: Step = { do: "wait", until: "asked here" };

export const leftOver: readonly LeftOver[] = REFUSALS_OF_OTHERS.flatMap(([name, text]) => [
  { name: `${name} in one piece with the response before`, to: 0, steps: [READ, answer({ behind: text })] },
  { name: `${name} right after the response before`, to: 0, steps: [READ, answer({}), send(text)] },
  { name: `${name} once the request is there`, to: 0, steps: [READ, answer({}), ASKED_HERE, send(text)] },
  { name: `${name} in one piece with the real response`, to: 1, steps: [READ, answer({ ahead: text })] },
  {
    name: `${name}, and the real response after the next request`,
    to: 1,
    steps: [send(text), READ, ASKED_HERE, answer({})],
  },
  { name: `${name} after it was applied, and nothing more`, to: 1, steps: [READ, APPLY, send(text), HANG] },
]);
