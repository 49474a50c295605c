import type { App, CaptureSource } from "../app.ts";
import type { Client } from "../client/client.ts";
import { type ApiRequest, targetOf } from "../client/request.ts";
import { respelled } from "../client/respell.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import { ifFound, usageError } from "../errors.ts";
import { maskedWord, secretTextsIn } from "../session/journaling/masked-body.ts";
import { shellWord } from "../shell/shell-words.ts";
import { digestOf, type Proposal } from "./proposal.ts";

/** These members stay the same while the service resubmits a transaction at another price. */
const OF_TRANSACTION = ["id", "nonce", "to", "value", "data", "from"] as const;

/**
 * Returns the digest of a request's target: a transaction without its fees and state, or the whole resource, if it exists.
 */
export async function readSeen(request: ApiRequest, client: Client): Promise<string | undefined> {
  const found = await readTarget(request, client);
  return found === undefined ? undefined : digestOf(writeJson(found));
}

async function readTarget({ operation, parameters = {} }: ApiRequest, client: Client): Promise<JsonValue | undefined> {
  const { relayer_id: relayer, transaction_id: transaction } = parameters;
  if (transaction !== undefined && relayer !== undefined) {
    const data: JsonObject = (await client.tx.get(relayer, transaction)).data;
    return Object.fromEntries(OF_TRANSACTION.map((name) => [name, data[name] ?? null]));
  }
  const noun = operation.id.split(".")[0] ?? "";
  const read = Object.values(operations).find(({ id }) => id === `${noun === "tx" ? "relayers" : noun}.get`);
  if (!read || Object.keys(parameters).length === 0) return undefined;
  const found = await ifFound(client.request({ operation: read, parameters }));
  if (!found) return null;
  return isJsonObject(found.data) ? found.data : undefined;
}

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

/** Returns who asks for it, how, and until when. */
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
