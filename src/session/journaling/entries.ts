import type { App } from "../../app.ts";
import { type ApiRequest, requestTarget, requestWithoutHidden, type WriteFacts } from "../../client/request.ts";
import type { WriteEnd } from "../../client/write-log.ts";
import type { Limits } from "../../config/config.ts";
import { type Environment, readEnv } from "../../config/environment.ts";
import { withHeaderValues } from "../../config/token/header-words.ts";
import { createSecrets } from "../../config/token/secrets.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonValueAt } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { MASK } from "../../contract/rpc-url.ts";
import { PRICES } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import { ASSUMED_OFFSET } from "../../journal/created-in-time.ts";
import type { Entry, Intent, Journal, WriteOutcome } from "../../journal/journal.ts";
import { shellWord } from "../../shell/shell-words.ts";
import { maskedResource, maskedWord, type RecordedBody, secretsInBody } from "./masked-body.ts";
import { maskedTarget, maskText } from "./masked-text.ts";
import { withRedactedMembers, withTexts } from "./redacting-journal.ts";

export interface RecordedCommand {
  app: Pick<App, "clock" | "env" | "whoRuns">;
  /** The context's name, or `demo`. */
  context: string | undefined;
  /** The called program (default: `relayctl`), and its words. */
  program?: string;
  argv: readonly string[];
  server: string;
  reason?: string | undefined;
  once?: string | undefined;
  undoes?: string | undefined;
  proposal?: Intent["proposal"];
  limits?: Limits;
  /** Returns the symbol of a relayer's coin, if the command knows it. */
  coinOf?(relayerId: string): Promise<string | undefined>;
  say(line: { warning: string }): Promise<void>;
}

export async function entryAuthor(
  { app, context, program = "relayctl", argv, server, reason, once, undoes, proposal }: RecordedCommand,
  journal: Journal,
) {
  const ci = ciJob(app.env);
  const masked = withHeaderValues(argv, (name) => `${name}: ${MASK}`);
  return {
    run: journal.newId(),
    ...app.whoRuns(),
    ...(ci !== undefined && { ci }),
    ...(context !== undefined && { context }),
    server,
    command: [program, ...masked.map((word) => shellWord(maskedWord(word)))].join(" "),
    ...(reason !== undefined && { reason: maskText(reason) }),
    ...(once !== undefined && { once: once.normalize() }),
    ...(undoes !== undefined && { undoes }),
    ...(proposal && { proposal }),
  };
}

function ciJob(env: Environment): string | undefined {
  const read = (name: string) => readEnv(env, name);
  const [server, repository, run] = [read("GITHUB_SERVER_URL"), read("GITHUB_REPOSITORY"), read("GITHUB_RUN_ID")];
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  return JOB_VARIABLES.map(read).find((job) => job !== undefined) ?? (read("CI") && "CI");
}

/** GitLab, Jenkins, Buildkite, CircleCI, Azure Pipelines. */
const JOB_VARIABLES = ["CI_JOB_URL", "BUILD_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL", "BUILD_BUILDURI"];

/** The members that quote input, requests, or responses. The others identify the write. */
const QUOTING = ["command", "reason", "body", "before", "message", "after"];

function withoutSecrets<T extends Entry>(texts: readonly string[], entry: T): T {
  if (texts.length === 0) return entry;
  const secrets = createSecrets();
  for (const text of texts) secrets.add(text);
  return withTexts(entry, (text) => secrets.redact(text), QUOTING);
}

export type Author = Awaited<ReturnType<typeof entryAuthor>>;

/** The members of a transaction that later questions need. Its data is in the body of the request. */
const OF_TRANSACTIONS = [
  "id",
  "relayer_id",
  "status",
  "hash",
  "from",
  "to",
  "value",
  "nonce",
  "speed",
  "gas_limit",
  ...PRICES,
  "is_canceled",
  "created_at",
  "sent_at",
];

export function entryIntent(
  request: ApiRequest,
  { before, ownId = false, temporary, keeps, restores, payment, date = 0 }: WriteFacts,
  author: Author,
  { id, time, recorded, coin }: { id: string; time: string; recorded: RecordedBody; coin?: string | undefined },
): Intent {
  const { operation, parameters = {}, body } = request;
  const kept = before && recordedPart(before, request);
  const intent: Intent = {
    type: "intent",
    id,
    time,
    ...(date > receivedTime(time) + ASSUMED_OFFSET.most && { date: new Date(date).toISOString() }),
    ...author,
    operation: operation.id,
    kind: operation.kind,
    method: operation.method,
    target: maskedTarget(requestTarget(request)),
    ids: parameters,
    ...(coin !== undefined && { coin }),
    ...recorded.members,
    ...(kept && { before: kept }),
    ...(ownId && { ownId: true as const }),
    ...(temporary !== undefined && { temporary }),
    ...(keeps !== undefined && { keeps }),
    ...(restores !== undefined && { restores }),
    ...(payment && { payment }),
  };
  const secrets = before ? [...recorded.secrets, ...secretsInBody(before)] : recorded.secrets;
  return withRedactedMembers(withoutSecrets(secrets, intent), { body, before });
}

export function entryOutcome(
  request: ApiRequest,
  end: WriteEnd,
  rest: Pick<WriteOutcome, "id" | "run" | "time" | "ms">,
  secrets: readonly string[] = request.body === undefined ? [] : secretsInBody(request.body),
): WriteOutcome {
  if ("error" in end)
    return withoutSecrets(secrets, { type: "outcome", ...rest, ...failureMembers(end.error, hiddenTexts(request)) });
  const after = isJsonObject(end.data as JsonValue) ? recordedPart(end.data as JsonObject, request) : undefined;
  const outcome: WriteOutcome = { type: "outcome", ...rest, applied: "yes", ...(after && { after }) };
  return withRedactedMembers(withoutSecrets(secrets, outcome), { after: end.data });
}

function hiddenTexts({ body = null, hidden = [] }: ApiRequest): string[] {
  return hidden.flatMap((path) => {
    const value = jsonValueAt(body, path.split(".")) ?? null;
    return value === null || value === "" ? [] : [String(value)];
  });
}

function failureMembers(
  error: unknown,
  hidden: readonly string[],
): Pick<WriteOutcome, "applied" | "failure" | "message" | "status"> {
  // After a bug, anything may have been sent.
  if (!(error instanceof RelayctlError)) return { applied: "unknown", failure: "internal" };
  const { applied, failure, http } = error;
  const isQuoting = hidden.some((text) => error.message.includes(text));
  const message = isQuoting ? "not recorded: it quotes a value from a variable or a file" : error.message;
  return { applied, failure, message: maskText(message), ...(http && { status: http.status }) };
}

/** Returns a write's part of a resource, without a plugin's config, which may be secret. */
function recordedPart(resource: JsonObject, { operation, body, hidden }: ApiRequest): JsonObject {
  const names = operation.id.startsWith("tx.")
    ? OF_TRANSACTIONS
    : ["id", "name", "network", "network_type", ...Object.keys(isJsonObject(body) ? body : resource)];
  const isKept = (name: string) => names.includes(name) && !(name === "config" && operation.id === "plugins.update");
  const kept = Object.entries(resource).filter(([name]) => isKept(name));
  return requestWithoutHidden(maskedResource(Object.fromEntries(kept)), hidden) as JsonObject;
}
