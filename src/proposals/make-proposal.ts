import type { App, CaptureSource, RulesChange } from "../app.ts";
import type { Client } from "../client/client.ts";
import { type ApiRequest, requestTarget } from "../client/request.ts";
import { respellRequest } from "../client/respell.ts";
import { type Context, contextShape } from "../config/config.ts";
import { shownOrigin } from "../config/connection/origin.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn, parseJson, writeJson } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import { ifFound, usageError } from "../errors.ts";
import { maskedWord, secretsInBody } from "../session/journaling/masked-body.ts";
import { shellWord } from "../shell/shell-words.ts";
import { CONTEXT_TARGET, type Proposal, proposalDigest } from "./proposal.ts";

/** These members stay the same while the service resubmits a transaction at another price. */
const OF_TRANSACTION = ["id", "nonce", "to", "value", "data", "from"] as const;

/** Digests a transaction without its fees and state, or the whole resource, if it exists. */
export async function readProposalSeen(request: ApiRequest, client: Client): Promise<string | undefined> {
  const found = await readTarget(request, client);
  return found === undefined ? undefined : proposalDigest(writeJson(found));
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

export interface ProposalRequest {
  argv: readonly string[];
  /** Milliseconds until it expires. */
  lasts: number;
}

/** Returns the proposal of one captured request. @throws RelayctlError usage for several, a read, or a secret */
export async function makeProposal(
  app: Pick<App, "clock" | "random" | "whoRuns">,
  requests: readonly ApiRequest[],
  from: CaptureSource,
  { argv, lasts }: ProposalRequest,
): Promise<Proposal> {
  const [request] = requests;
  if (!request || requests.length > 1)
    throw proposalRefusal(`sends ${requests.length} requests; propose them one by one`);
  const { body, hidden = [], operation } = request;
  if (operation.kind === "read" && !operation.signs) throw proposalRefusal("only reads, which needs no proposal");
  if (hidden.length > 0 || (body !== undefined && secretsInBody(body).length > 0))
    throw proposalRefusal("sends a secret, and a proposal is a file that others read");
  const seen = await readProposalSeen(request, from.client);
  const other = respellRequest(request);
  return {
    ...madeNow(app, { argv, lasts }),
    context: from.name,
    server: from.origin,
    method: operation.method,
    target: requestTarget(request),
    ...(body !== undefined && { body: writeJson(body) }),
    ...(other !== undefined && { respelled: writeJson(other) }),
    ...(seen !== undefined && { seen }),
    limits: writeJson(from.limits),
  };
}

function madeNow(app: Pick<App, "clock" | "random" | "whoRuns">, { argv, lasts }: ProposalRequest) {
  const { user, host } = app.whoRuns();
  const now = app.clock.now();
  return {
    version: 1 as const,
    nonce: app.random.uuid(),
    command: ["relayctl", ...argv.map((word) => shellWord(maskedWord(word)))].join(" "),
    ...{ user, host, time: new Date(now).toISOString(), expires: new Date(now + lasts).toISOString() },
  };
}

/** A context's rules for writes, which can't be loosened without its approvers' signatures. */
const RULES = [
  ...(["protected", "require_reason", "read_only", "journal"] as const),
  ...(["max_value", "max_per_day", "allow_to", "approvers"] as const),
];

function splitContext(context: Context): [rules: Partial<Context>, rest: Partial<Context>] {
  const isRule = ([name]: [string, unknown]) => RULES.some((rule) => rule === name);
  const entries = Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1));
  return [entries.filter(isRule), entries.filter((entry) => !isRule(entry))].map((each) =>
    Object.fromEntries(each),
  ) as [Partial<Context>, Partial<Context>];
}

export function proposalRulesDigest(context: Context): string {
  return proposalDigest(writeJson(splitContext(context)[0]));
}

/** Returns whether a change can be proposed. */
export function changesOnlyRules(before: Context, after: Context): boolean {
  return writeJson(splitContext(before)[1]) === writeJson(splitContext(after)[1]);
}

/** @throws RelayctlError usage for a context without approvers, and for a change of anything but its rules */
export function makeRulesProposal(
  app: Pick<App, "clock" | "random" | "whoRuns">,
  { name, before, after }: RulesChange,
  asked: ProposalRequest,
): Proposal {
  if (!before?.approvers) throw proposalRefusal(`context ${name} has no approvers: run the command itself`);
  const [rules] = splitContext(after);
  if (!changesOnlyRules(before, after)) throw proposalRefusal("changes more than the rules of a context");
  return {
    ...madeNow(app, asked),
    ...{ context: name, server: shownOrigin(before.server), method: "SET", target: CONTEXT_TARGET },
    body: writeJson(rules),
    seen: proposalRulesDigest(before),
    limits: "{}",
  };
}

/** Returns a context with the proposed rules. @throws RelayctlError usage if they are invalid */
export function contextWithProposedRules(context: Context, { body = "" }: Proposal): Context {
  const rules = parseJson(body);
  const [, rest] = splitContext(context);
  const changed = { ...rest, ...objectIn(rules) } as Context;
  const isRules = isJsonObject(rules) && Object.keys(rules).every((name) => RULES.some((rule) => rule === name));
  if (isRules && contextShape(changed) === undefined) return changed;
  throw proposalRefusal("does not have the rules of a context");
}

function proposalRefusal(rule: string) {
  return usageError([{ where: "<command>", rule }]);
}
