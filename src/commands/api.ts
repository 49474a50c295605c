import type { Command } from "commander";
import { type ApiRequest, targetOf } from "../client/request.ts";
import { agree } from "../command-support/consent/agree.ts";
import { hideSecrets } from "../command-support/hide-secrets.ts";
import { readJson } from "../command-support/input-file.ts";
import type { Problems } from "../command-support/problems.ts";
import { receiptOf, withHint } from "../command-support/receipt.ts";
import { commandLine } from "../command-support/shell-words.ts";
import { isShown, showRequest } from "../command-support/shown.ts";
import { idProblem, pathPart } from "../contract/id.ts";
import { isJsonObject } from "../contract/json.ts";
import { isNetworkKind } from "../contract/network-kind.ts";
import { operationPath } from "../contract/operation.ts";
import { capIn, capRisks } from "../contract/policy/cap-change.ts";
import { API_PREFIX, METHODS } from "../contract/wire.ts";
import type { View } from "../terminal/view.ts";
import { apiRequestOf } from "./api-request.ts";
import type { Call, CommandFile } from "./command.ts";
import { relayerIfReadable } from "./relayers/relayer-if-readable.ts";
import type { Limited } from "./tx/limits/limited.ts";
import { exceededLimits, sayExceeded } from "./tx/limits/limits.ts";

interface ApiFlags {
  file?: string;
}

/** `relayctl api METHOD PATH`: any request, with consent by its effect; prints the response as received. */
export const api: CommandFile<ApiFlags, ApiRequest> = {
  summary: "Send any request and print the response as received",
  sends: "anything",
  ends: { ok: "done", not_found: "not found" },
  examples: [
    "relayctl api GET /relayers/eth-main-1",
    "relayctl api GET '/relayers?page=1&per_page=2'",
    "relayctl api PATCH /relayers/eth-main-1 -f body.json --dry-run",
  ],
  args: [
    { name: "<method>", description: "HTTP method: GET, POST, PUT, PATCH, or DELETE", words: METHODS },
    { name: "<path>", description: "Path below /api/v1, with its query" },
  ],
  define,
  prepare,
  run,
};

function define(command: Command): void {
  command
    .description(
      "Send any request with the context's URL and token, and print the response body as received. A write that relayctl does not recognize requires confirmation.",
    )
    .optionsGroup("Request")
    .option("-f, --file <file>", "Read the request body from a JSON file (`-` for stdin)");
}

async function prepare({ app, flags: { file }, args }: Call<ApiFlags>, problems: Problems): Promise<ApiRequest> {
  const [method = "", path = ""] = args;
  const body = file === undefined ? undefined : await problems.gather(() => readJson(app, file));
  hideSecrets(app, body);
  return apiRequestOf(problems, method, path, body);
}

async function run(call: Call<ApiFlags>, request: ApiRequest): Promise<View> {
  if (isShown(call)) {
    const limited = await limitedBy(call, request);
    if (limited) await sayExceeded(call, limited);
    return await showRequest(call, request);
  }
  const session = await call.session();
  const path = targetOf(request).slice(API_PREFIX.length);
  const words = `${request.operation.method} ${path}`;
  const id = Object.values(request.parameters ?? {})[0] ?? session.name;
  const risks = await risksOf(call, request);
  const exceeded = await exceededBy(call, request);
  const wasPrompted = await agree(call, session, { request, act: words, id, title: words, risks, exceeded });
  const readAgain = commandLine(...session.flags, "api", "GET", createdPath(request) ?? path);
  const result = await withHint(session.client.request(request), readAgain);
  if (request.operation.kind === "read") return { kind: "body", body: result.body };
  return { kind: "body", body: result.body, receipt: receiptOf(result, wasPrompted ? [] : [...risks, ...exceeded]) };
}

/**
 * Returns the change of a relayer's gas price cap compared with the current one, which every way to send it must check.
 */
async function risksOf(call: Call, { operation, parameters, body }: ApiRequest): Promise<string[]> {
  const id = parameters?.relayer_id;
  if (operation.id !== "relayers.update" || id === undefined || capIn(body) === undefined) return [];
  return capRisks(body, (await relayerIfReadable(call, id))?.data);
}

/** Returns how a transaction goes beyond the limits of its context, which every way to send it must check. */
async function exceededBy(call: Call, request: ApiRequest): Promise<string[]> {
  const limited = await limitedBy(call, request);
  return limited ? await exceededLimits(call, limited) : [];
}

/** Returns the transaction of a request that the limits of its context apply to. A dry run reads nothing about it. */
async function limitedBy(call: Call, { operation, parameters, body }: ApiRequest): Promise<Limited | undefined> {
  const { relayer_id: relayerId, transaction_id: id } = parameters ?? {};
  const isTransaction = operation.id === "tx.send" || operation.id === "tx.replace";
  const { limits, client, reach } = await call.session();
  const hasLimits = Object.keys(limits).length > 0;
  if (!isTransaction || relayerId === undefined || !isJsonObject(body) || !hasLimits) return undefined;
  const reads = reach === "all";
  const relayer = reads ? (await relayerIfReadable(call, relayerId))?.data : undefined;
  const before = id === undefined || !reads ? undefined : (await client.tx.get(relayerId, id)).data;
  const kind = isNetworkKind(relayer?.network_type) ? relayer.network_type : "evm";
  return { relayerId, relayer, kind, body, ...(id !== undefined && { replaces: { id, before } }) };
}

/** Returns the path of the resource that a body creates, below the collection. */
function createdPath({ operation, parameters, body }: ApiRequest): string | undefined {
  const id = operation.kind === "create" && isJsonObject(body) ? body.id : undefined;
  if (typeof id !== "string" || idProblem(id)) return undefined;
  return `${operationPath(operation, parameters).slice(API_PREFIX.length)}/${pathPart(id)}`;
}
