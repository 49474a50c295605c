import type { App } from "../app.ts";
import { firstPageQuery, type ListBounds } from "../client/pagination/list-pages.ts";
import { type ApiRequest, requestTarget } from "../client/request.ts";
import { agreeToConsent } from "../command-support/consent/consent.ts";
import { writeLines, writeNotes, writeWithHint } from "../command-support/prepared-write.ts";
import { isDryRun, showRequest } from "../command-support/shown.ts";
import { shownHeadText } from "../command-support/shown-headers.ts";
import { percentDecoded } from "../contract/encoding/percent.ts";
import { idPathPart, idProblem } from "../contract/id.ts";
import { copyJsonObject, isJsonObject, type JsonObject, type JsonValue, keysOf, parseJson } from "../contract/json.ts";
import { isNetworkKind } from "../contract/network-kind.ts";
import { type Operation, type OperationKind, operationPath } from "../contract/operation.ts";
import { capIn, capRisks } from "../contract/policy/cap-change.ts";
import type { Problems } from "../contract/problems.ts";
import { calledPlugin, recognizeOperation } from "../contract/reply/recognize.ts";
import { anything } from "../contract/reply/shape.ts";
import { MASKED_URL, maskedRpcUrlPaths } from "../contract/rpc-url.ts";
import { isSecretFieldPath } from "../contract/secret-fields.ts";
import { testAccountsIn } from "../contract/test-accounts.ts";
import { kindsOfBody } from "../contract/transaction/body-kind.ts";
import { API_PREFIX, METHODS, type Method } from "../contract/wire.ts";
import type { Limited } from "../limits/compare-with-limits.ts";
import { exceededLimits, sayExceededLimits } from "../limits/exceeded-limits.ts";
import { oneOf } from "../nearest.ts";
import { hideSecrets } from "../session/hide-secrets.ts";
import { readInputJson, readInputText, readSecretInput } from "../session/input-file.ts";
import { LOST_LINES } from "../session/journaling/lost-lines-flag.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { OutputOptions } from "../terminal/output-options.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import { type Call, createCommand } from "./command.ts";
import { relayerIfReadable } from "./relayers/relayer-if-readable.ts";
import { testAccountWarnings } from "./tx/relayer-check.ts";

interface FieldFlags {
  field?: string[];
  rawField?: string[];
}

interface Field {
  flag: "--field" | "--raw-field";
  /** As typed: `policies[min_balance]`. */
  name: string;
  /** `["policies", "min_balance"]`; an empty key adds an item to a list. */
  path: readonly string[];
  value: JsonValue;
  text: string;
}

/** Matches `name=value`, `a[b][]=value`, and `a[]`, which is an empty list. */
const FIELD = /^([^[\]=]+)((?:\[[^[\]=]*\])*)(?:=(.*)|(?<=\[\]))$/s;
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** Reads the typed fields, the raw ones first. An invalid field becomes a problem. */
async function readFields(app: App, { field = [], rawField = [] }: FieldFlags, problems: Problems): Promise<Field[]> {
  const fields: Field[] = [];
  for (const [flag, typed] of [
    ...rawField.map((typed) => ["--raw-field", typed] as const),
    ...field.map((typed) => ["--field", typed] as const),
  ]) {
    const [, root = "", keys = "", text] = FIELD.exec(typed) ?? [];
    const path = [root, ...[...keys.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key)];
    if (root === "") problems.add(flag, "write it as name=value, a[b]=value, or a[]=value", withoutValue(typed));
    else if (text === undefined) fields.push({ flag, name: root + keys, path: path.slice(0, -1), value: [], text: "" });
    else {
      const value = await problems.gather(() => fieldValue(app, { flag, path, text }, problems));
      const shown = typeof value === "string" ? value : text;
      if (value !== undefined) fields.push({ flag, name: root + keys, path, value, text: shown });
    }
  }
  return fields;
}

/** Returns a typed field up to its value, which may be a secret. */
function withoutValue(typed: string): string {
  return typed.includes("=") ? `${typed.slice(0, typed.indexOf("="))}=…` : typed;
}

async function fieldValue(
  app: App,
  { flag, path, text }: Pick<Field, "flag" | "path" | "text">,
  problems: Problems,
): Promise<JsonValue> {
  const isSecret = isSecretFieldPath(path.join("."));
  const file = flag === "--field" && text.startsWith("@") ? text.slice(1) : undefined;
  if (file !== undefined) return await (isSecret ? readSecretInput(app, file, flag) : readInputText(app, file));
  if (isSecret && text !== "null" && text !== "") {
    app.secrets.add(text);
    const name = path.join(".");
    problems.add(
      flag,
      `${name} is a secret, and other processes can see arguments; read it from a file: -F ${name}=@FILE`,
    );
  }
  if (flag === "--raw-field") return text;
  return WORDS.has(text) || INTEGER.test(text) ? parseJson(text) : text;
}

const WORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

function bodyWith(body: JsonValue | undefined, fields: readonly Field[], problems: Problems): JsonValue | undefined {
  if (fields.length === 0) return body;
  if (body !== undefined && !isJsonObject(body)) {
    problems.add("--file", "must contain a JSON object to be combined with fields");
    return body;
  }
  let typed: JsonValue = copyJsonObject({});
  for (const { flag, name, path, value } of fields) {
    const next = withValue(typed, path, value);
    if (next === undefined) problems.add(flag, "conflicts with an earlier field", name);
    else typed = next;
  }
  return body === undefined ? typed : overlayBody(body, typed);
}

function withValue(
  current: JsonValue | undefined,
  [key, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue | undefined {
  if (key === undefined) return current === undefined ? value : undefined;
  if (key === "") return withItem(current ?? [], rest, value);
  const object = current ?? copyJsonObject({});
  if (!isJsonObject(object)) return undefined;
  const member = withValue(object[key], rest, value);
  return member === undefined ? undefined : Object.assign(copyJsonObject(object), { [key]: member });
}

function withItem(items: JsonValue, path: readonly string[], value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(items)) return undefined;
  const last = items.at(-1);
  const [member] = path;
  const isMore = member !== undefined && isJsonObject(last) && !Object.hasOwn(last, member);
  const item = withValue(isMore ? last : undefined, path, value);
  return item === undefined ? undefined : [...(isMore ? items.slice(0, -1) : items), item];
}

function overlayBody(base: JsonValue, over: JsonValue): JsonValue {
  if (!isJsonObject(base) || !isJsonObject(over)) return over;
  const merged: JsonObject = copyJsonObject(base);
  for (const key of keysOf(over)) {
    const [before, after] = [base[key], over[key] ?? null];
    Object.assign(merged, { [key]: before === undefined ? after : overlayBody(before, after) });
  }
  return merged;
}

/** Returns the query with the fields, since a GET has no body. */
function queryWith(
  query: Readonly<Record<string, string>>,
  fields: readonly Field[],
  problems: Problems,
): Record<string, string> {
  const names = [...Object.keys(query), ...fields.map(({ name }) => name)];
  for (const [index, { flag, name }] of fields.entries()) {
    if (names.indexOf(name) < Object.keys(query).length + index) problems.add(flag, "is in the query already", name);
  }
  return { ...query, ...Object.fromEntries(fields.map(({ name, text }) => [name, text])) };
}

/** The assumed kind of an unknown request, by its method: the safer one. */
const KINDS: Record<Method, OperationKind> = {
  GET: "read",
  PATCH: "patch",
  DELETE: "remove",
  PUT: "once",
  POST: "once",
};

function buildApiRequest(problems: Problems, verb: string, typedPath: string, body: JsonValue | undefined): ApiRequest {
  const method = verb.toUpperCase();
  if (!isMethod(method)) problems.add("<method>", oneOf(method, METHODS), verb);
  const { path, query } = splitPath(problems, typedPath);
  if (method === "GET" && body !== undefined) problems.add("--file", "a GET request has no body");
  for (const place of maskedRpcUrlPaths(body)) problems.add("--file", `${place} ${MASKED_URL}`);
  return { ...apiOperation(isMethod(method) ? method : "GET", path), query, ...(body !== undefined && { body }) };
}

function isMethod(text: string): text is Method {
  return Object.hasOwn(KINDS, text);
}

function splitPath(problems: Problems, typed: string): { path: string; query: Record<string, string> } {
  const [before = "", ...rest] = typed.split("?");
  const path = `/${before.replace(/^\/+/, "").replace(/^api\/v1(?:\/|$)/, "")}`;
  const typedQuery = rest.join("?");
  if (!PATH.test(path) || hasBadPart(path) || percentDecoded(typedQuery) === undefined) {
    problems.add("<path>", "a path below /api/v1, percent-encoded, without an origin, .., or an empty part", typed);
  }
  const query = [...new URLSearchParams(`?${typedQuery}`)];
  const twice = query.find(([name], index) => query.findIndex(([other]) => other === name) !== index)?.[0];
  if (twice !== undefined) problems.add("<path>", "has a repeated name in its query", twice);
  return { path, query: Object.fromEntries(query) };
}

/** Matches the characters of a path (RFC 3986), except a colon before two slashes, which begins an origin. */
const PATH = /^(?!.*:\/\/)[\w\-.~%!$&'()*+,;=:@/]*$/;

function hasBadPart(path: string): boolean {
  const parts = path.slice(1).split("/").map(percentDecoded);
  return parts.some((part = "") => part !== "true" && part !== "false" && idProblem(part) !== undefined);
}

export function apiOperation(
  method: Method,
  path: string,
): { operation: Operation; parameters: Record<string, string> } {
  const known = recognizeOperation(method, API_PREFIX + path);
  if (known)
    return {
      operation: known.operation.kind === "read" ? { ...known.operation, bare: true, data: anything } : known.operation,
      parameters: { ...known.parameters },
    };
  const plugin = calledPlugin(path);
  const called = plugin === undefined ? { kind: KINDS[method] } : ({ kind: "once", ownFailures: true } as const);
  return {
    operation: { id: "api", method, path, data: anything, bare: true, ...called },
    parameters: plugin === undefined ? {} : { plugin_id: plugin },
  };
}

interface AllPages {
  request: ApiRequest;
  bounds: ListBounds;
}

const ITEMS: ResourceView = {
  one: "item",
  many: "items",
  table: [],
  flat: [],
  fields: [],
  block: () => [],
};

const FORMATS: readonly OutputOptions["format"][] = [undefined, "json", "ndjson", "yaml", "name"];

function parseAllPages(request: ApiRequest, output: OutputOptions, problems: Problems): AllPages {
  const { operation, query = {} } = request;
  const { page, per_page: size, ...others } = query;
  const flag = "--paginate";
  if (operation.method !== "GET") problems.add(flag, "works with GET only");
  else if (operation.kind !== "read" || (operation.id !== "api" && !operation.list))
    problems.add(flag, "this path is not a list");
  if (page !== undefined) problems.add(flag, "reads every page, so the path must not choose one with page");
  const perPage = size === undefined ? undefined : Number(size);
  if (size !== undefined && !/^[1-9][0-9]{0,8}$/.test(size))
    problems.add(flag, "per_page must be a number from 1", size);
  if (!FORMATS.includes(output.format) && (output.query === undefined || output.format === "raw"))
    problems.add(flag, `prints json (the default), ndjson, yaml, or name, not ${output.format}`);
  const { bare: _, ...strict } = operation;
  return {
    request: { ...request, operation: { ...strict, list: true }, query: others },
    bounds: perPage === undefined ? {} : { perPage },
  };
}

async function allItems(call: Call, { request, bounds }: AllPages): Promise<View> {
  const { client, name, flags } = await call.session();
  const pages = client.pages(request, bounds);
  return { kind: "list", resource: ITEMS, pages, where: name, flags, inOrder: true, usual: "json" };
}

export const api = createCommand({
  summary: "Send any request and print the response as received",
  sends: "anything",
  spends: true,
  mayOnlyAsk: true,
  showsUrls: true,
  ends: { ok: "done", not_found: "not found" },
  examples: [
    "relayctl api GET /relayers/eth-main-1",
    "relayctl api GET /relayers --paginate -o ndjson",
    "relayctl api PATCH /relayers/eth-main-1 -F paused=true -F 'policies[min_balance]=1' --dry-run",
  ],
  args: [
    { name: "<method>", description: "HTTP method: GET, POST, PUT, PATCH, or DELETE", words: METHODS },
    { name: "<path>", description: "Path below /api/v1, with its query" },
  ],
  paginates: ({ flags }: { flags: { paginate?: true } }) => flags.paginate === true,
  description:
    "Send any request with the context's URL and token, and print the response body as received. A write that relayctl does not recognize requires confirmation.",
  define: (command) =>
    command
      .optionsGroup("Request")
      .option(
        "-f, --file <file>",
        "Read the request body from a JSON file (`-` for stdin); fields override its members",
      )
      .option(
        "-F, --field <name=value>",
        "Set a field of the body, or of the query of a GET: true, false, null, and integers as such, @FILE as its text, anything else as text; a[b]=value and a[]=value nest (repeatable)",
        "values",
      )
      .option("--raw-field <name=value>", "Set a field to a text (repeatable)", "values")
      .option("--paginate", "Read every page of a list, and print all items as one (only GET)")
      .option("-i, --include", "Print the status and the headers before the body, without secrets")
      .option(...LOST_LINES),
  async prepare({ app, flags, args, output }, problems) {
    const { file, paginate, include } = flags;
    const [method = "", path = ""] = args;
    const read = file === undefined ? undefined : await problems.gather(() => readInputJson(app, file));
    const fields = await readFields(app, flags, problems);
    const isGet = method.toUpperCase() === "GET";
    const body = isGet ? read : bodyWith(read, fields, problems);
    hideSecrets(app, body);
    const typed = buildApiRequest(problems, method, path, body);
    const request = isGet ? { ...typed, query: queryWith(typed.query ?? {}, fields, problems) } : typed;
    if (include && (paginate || output.query !== undefined))
      problems.add("--include", `cannot be combined with ${paginate ? "--paginate" : "--query"}`);
    return paginate ? { request, all: parseAllPages(request, output, problems) } : { request };
  },
  async run(call, { request, all }) {
    if (isDryRun(call)) {
      const limited = await limitedRequest(call, request);
      if (limited) await sayExceededLimits(await call.session(), limited);
      return await showRequest(
        call,
        all ? { ...all.request, query: { ...all.request.query, ...firstPageQuery(all.bounds) } } : request,
      );
    }
    if (all) return await allItems(call, all);
    const session = await call.session();
    const path = requestTarget(request).slice(API_PREFIX.length);
    const words = `${request.operation.method} ${path}`;
    const id = Object.values(request.parameters ?? {})[0] ?? session.name;
    const risks = await readApiRisks(call, request);
    const exceeded = await apiLimitsExceeded(call, request);
    const warnings = await readApiWarnings(call, request);
    const shownFirst = [...warnings, ...risks];
    const wasPrompted = await agreeToConsent(call, session, {
      request,
      act: words,
      id,
      title: words,
      risks: shownFirst,
      exceeded,
    });
    if (!wasPrompted) await writeLines(call, warnings);
    const readAgain = commandLine(...session.flags, ...lookFor(request, id, path));
    const result = await writeWithHint(session.client.request(request), readAgain);
    const { body, head } = result;
    const shown: View = { kind: "body", body, ...(call.flags.include && head && { head: shownHeadText(head) }) };
    if (request.operation.kind === "read") return shown;
    const [first, ...more] = wasPrompted ? [] : [...risks, ...exceeded];
    return { ...shown, receipt: [...writeNotes(result), ...(first === undefined ? [] : [{ done: first }, ...more])] };
  },
});

function lookFor(request: ApiRequest, id: string, path: string): string[] {
  if (request.operation.id === "relayers.rpc") return ["relayers", "status", id];
  return request.operation.ownFailures ? ["plugins", "get", id] : ["api", "GET", createdPath(request) ?? path];
}

function createdPath({ operation, parameters, body }: ApiRequest): string | undefined {
  const id = operation.kind === "create" && isJsonObject(body) ? body.id : undefined;
  if (typeof id !== "string" || idProblem(id)) return undefined;
  return `${operationPath(operation, parameters).slice(API_PREFIX.length)}/${idPathPart(id)}`;
}

/** Returns the change of a relayer's gas price cap, which every way to send it must check. */
export async function readApiRisks(call: Call, { operation, parameters, body }: ApiRequest): Promise<string[]> {
  const id = parameters?.relayer_id;
  if (operation.id !== "relayers.update" || id === undefined || capIn(body) === undefined) return [];
  return capRisks(body, (await relayerIfReadable(call, id))?.data);
}

/** Returns a warning for each receiver whose private key is public, as every way to send a transaction does. */
export async function readApiWarnings(
  call: Call,
  { operation, parameters, body }: ApiRequest,
): Promise<{ warning: string }[]> {
  const relayerId = parameters?.relayer_id;
  const isTransaction = operation.id === "tx.send" || operation.id === "tx.replace";
  if (!isTransaction || relayerId === undefined || !isJsonObject(body) || testAccountsIn(body).length === 0) return [];
  return await testAccountWarnings(await call.session(), (await relayerIfReadable(call, relayerId))?.data, body);
}

/** Returns how a transaction exceeds its context's limits, which every way to send it must check. */
export async function apiLimitsExceeded(call: Call, request: ApiRequest): Promise<string[]> {
  const limited = await limitedRequest(call, request);
  return limited ? await exceededLimits(await call.session(), limited) : [];
}

/** Returns a request's transaction for the limits of its context. A dry run reads nothing about it. */
export async function limitedRequest(
  call: Call,
  { operation, parameters, body }: ApiRequest,
): Promise<Limited | undefined> {
  const { relayer_id: relayerId, transaction_id: id } = parameters ?? {};
  const isTransaction = operation.id === "tx.send" || operation.id === "tx.replace";
  const { limits, client, reach } = await call.session();
  const hasLimits = Object.keys(limits).length > 0;
  if (!isTransaction || relayerId === undefined || !isJsonObject(body) || !hasLimits) return undefined;
  const reads = reach === "all";
  const relayer = reads ? (await relayerIfReadable(call, relayerId))?.data : undefined;
  const before = id === undefined || !reads ? undefined : (await client.tx.get(relayerId, id)).data;
  const [ofBody, ...others] = kindsOfBody(keysOf(body));
  const kind = isNetworkKind(relayer?.network_type) ? relayer.network_type : others.length > 0 ? undefined : ofBody;
  return { relayerId, relayer, kind, body, ...(id !== undefined && { replaces: { id, before } }) };
}
