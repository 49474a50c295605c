import type { App, CaptureSource } from "../app.ts";
import { type ApiRequest, targetOf } from "../client/request.ts";
import { respelled } from "../client/respell.ts";
import { writeJson } from "../contract/json.ts";
import { usageError } from "../errors.ts";
import { maskedWord, secretTextsIn } from "../session/journaling/masked-body.ts";
import { shellWord } from "../shell/shell-words.ts";
import type { Proposal } from "./proposal.ts";
import { readSeen } from "./seen.ts";

export interface Asked {
  argv: readonly string[];
  /** Milliseconds until it expires. */
  lasts: number;
}

/** Returns the proposal of one captured request. @throws RelayctlError usage for several, a read, or a secret */
export async function makeProposal(
  app: Pick<App, "clock" | "random" | "whoRuns">,
  requests: readonly ApiRequest[],
  from: CaptureSource,
  { argv, lasts }: Asked,
): Promise<Proposal> {
  const [request] = requests;
  if (!request || requests.length > 1) throw refused(`sends ${requests.length} requests; propose them one by one`);
  const { body, hidden = [], operation } = request;
  if (operation.kind === "read" && !operation.signs) throw refused("only reads, which needs no proposal");
  if (hidden.length > 0 || (body !== undefined && secretTextsIn(body).length > 0))
    throw refused("sends a secret, and a proposal is a file that others read");
  const seen = await readSeen(request, from.client);
  const other = respelled(request);
  return {
    ...madeNow(app, { argv, lasts }),
    context: from.name,
    server: from.origin,
    method: operation.method,
    target: targetOf(request),
    ...(body !== undefined && { body: writeJson(body) }),
    ...(other !== undefined && { respelled: writeJson(other) }),
    ...(seen !== undefined && { seen }),
    limits: writeJson(from.limits),
  };
}

/** Returns what says who asks for it, how, and until when. */
export function madeNow(app: Pick<App, "clock" | "random" | "whoRuns">, { argv, lasts }: Asked) {
  const { user, host } = app.whoRuns();
  const now = app.clock.now();
  return {
    version: 1 as const,
    nonce: app.random.uuid(),
    command: ["relayctl", ...argv.map((word) => shellWord(maskedWord(word)))].join(" "),
    ...{ user, host, time: new Date(now).toISOString(), expires: new Date(now + lasts).toISOString() },
  };
}

function refused(rule: string) {
  return usageError([{ where: "<command>", rule }]);
}
