import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { Config } from "../../../src/config/config.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson, writeJson } from "../../../src/contract/json.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { refusal, reply } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import type { World } from "../../helpers/test-app.ts";
import { CLIENT_FILES, type Planted, urlWith } from "./planted.ts";

export const SERVER = "https://relayer.example.org";
const NODE = "https://node.example.net";

/** How a service throws back what it was sent. */
export const WAYS = ["added", "refused", "write refused", "HTML", "lost", "odd"] as const;
export type Way = (typeof WAYS)[number];

/** Where the token of a run comes from. */
export const SOURCES = ["variable", "file", "file of a variable", "context", "token_command"] as const;
type Source = (typeof SOURCES)[number];

const STATUSES = [400, 401, 403, 404, 409, 422, 500, 502];

export interface Turn {
  way: Way;
  source: Source;
  /** Counts the runs, so that each meets another status. */
  number: number;
  /** Whether the service quotes the key and the passphrase of the client certificate, too. */
  knowsKey: boolean;
}

/** Returns a world in which everything that a run could know is planted, and a service and nodes that quote it. */
export function worldWith(planted: Planted, { way, source, number, knowsKey }: Turn, base: World): World {
  const status = STATUSES[number % STATUSES.length] ?? 400;
  const store = base.store ?? demoStore();
  const server = testServer({ token: planted.token, store });
  const ask = base.service ?? server;
  const known = knowsKey ? { "x-known": `${planted.keyLine} ${planted.passphrase}` } : {};
  const service: Transport = async (received, limits) => {
    const request = { ...received, headers: { ...received.headers, ...known } };
    if (way === "lost") throw new TransportFailure("reset", `broke off: ${quoted(request)}`, { sent: true });
    if (way === "HTML")
      return reply(status, `<html><title>no</title><p>${escapedHtml(quoted(request))}</p></html>`, headersOf(request));
    if (way === "refused" || (way === "write refused" && request.method !== "GET"))
      return refusal(status, `not with ${quoted(request)}`, headersOf(request));
    const given = withRpcUrls(await ask(request, limits), planted);
    return way === "odd" || way === "added" ? withQuotes(given, request, way === "odd") : given;
  };
  const created = new Map<string, string>();
  return {
    columns: 200,
    ...base,
    ...tokenFrom(planted, source, base),
    ...(base.nodes ? { nodes: base.nodes } : { nodes: { [NODE]: nodeOf(number) } }),
    service,
    files: {
      ...base.files,
      token: `${planted.token}\n`,
      key: planted.key,
      "v.txt": planted.file,
      ...CLIENT_FILES,
      headers: `X-File: ${planted.headerOfFile}\n`,
      ...filesWith(planted),
    },
    lineFiles: new Map(),
    appended: [],
    created,
    journal: base.journal ?? memoryJournal(),
    receive: base.receive ?? scraping(created),
    isMalformed: true,
  };
}

/** Returns a client of what a command serves, which keeps the metrics. */
function scraping(served: Map<string, string>): NonNullable<World["receive"]> {
  return async ({ listening, port, refuse, respond }) => {
    await listening(port);
    const request = { method: "GET", target: "/metrics", headers: { host: "127.0.0.1" } };
    const { text } = refuse(request) ?? (await respond({ ...request, body: new Uint8Array() }));
    served.set("the metrics", text);
  };
}

function tokenFrom(planted: Planted, source: Source, base: World): Pick<World, "env" | "config" | "execute"> {
  const nodes = { mainnet: urlWith("node.example.net", planted.nodePath, "node-user", planted.nodePassword) };
  const contexts = Object.fromEntries(
    Object.entries(base.config?.contexts ?? { default: { server: SERVER } }).map(([name, { token: _, ...context }]) => [
      name,
      { ...context, nodes, token: planted.token, headers: headersOfContext(planted) },
    ]),
  ) as Config["contexts"];
  const stored: Config = { version: 1, ...base.config, current: base.config?.current ?? "default", contexts };
  const env = {
    ...base.env,
    HTTPS_PROXY: urlWith("proxy.example:8080", "", "proxy-user", planted.proxyPassword).replace(/\/$/, ""),
    RELAYCTL_NODE_SEPOLIA: urlWith("node.example.net", planted.nodePath, "node-user", planted.nodePassword),
    RELAYCTL_NODE_BASE: urlWith("node.example.net", planted.nodePath, "", planted.nodePassword),
    RELAYCTL_JOURNAL: "journal",
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: "summary",
    V: planted.variable,
    KEY: planted.key,
    SHELL: "/bin/bash",
  };
  const config = { config: stored };
  const printed = writeJson({ "X-Command": planted.headerOfCommand });
  const execute: World["execute"] =
    base.execute ?? (async ([, what]) => ({ stdout: what === "headers" ? printed : `${planted.token}\n` }));
  switch (source) {
    case "variable":
      return { env: { ...env, RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: planted.token }, ...config, execute };
    case "file of a variable":
      return {
        env: { ...env, RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN_FILE: "token", RELAYCTL_HEADERS_FILE: "headers" },
        ...config,
        execute,
      };
    case "token_command": {
      const asked = Object.entries(contexts).map(([name, { token: _, ...rest }]) => [
        name,
        { ...rest, token_command: ["pass", "show"], ...(base.execute ? {} : { header_command: ["pass", "headers"] }) },
      ]);
      return { env, config: { ...stored, contexts: Object.fromEntries(asked) }, execute };
    }
    default:
      return { env, ...config, execute };
  }
}

function headersOfContext({ header, headerPassword }: Planted): Record<string, string> {
  const basic = Buffer.from(`gateway:${headerPassword}`).toString("base64");
  return { "X-Gateway-Key": header, "Proxy-Authorization": `Basic ${basic}` };
}

/** Returns all that a request has, as somebody would quote it. */
function quoted({ headers, target, body, method }: WireRequest): string {
  const { authorization = "" } = headers;
  const others = ["x-gateway-key", "x-file", "x-command", "x-line", "x-known", "proxy-authorization"];
  const values = others.flatMap((name) => headers[name] ?? []);
  const gateway = values.flatMap((value) => [value, encodeURIComponent(value), decodedBasic(value)]).join(" ");
  const token = authorization.replace(/^\w+ /, "");
  const decoded = authorization.startsWith("Basic ") ? Buffer.from(token, "base64").toString() : "";
  const encoded = `${encodeURIComponent(token)} ${Buffer.from(` ${token}`).toString("base64")}`;
  const texts = body === undefined ? "" : leavesOf(body).join(" | ");
  return `${gateway} ${method} ${target} ${authorization} ${decoded} ${encoded} ${decodeSafely(target)} ${body ?? ""} ${texts} ${decodeSafely(texts)}`;
}

function decodedBasic(value: string): string {
  return value.startsWith("Basic ") ? Buffer.from(value.slice(6), "base64").toString() : "";
}

function leavesOf(body: string): string[] {
  try {
    const found: string[] = [];
    JSON.parse(body, (_, value) => {
      if (typeof value === "string") found.push(value);
      return value;
    });
    return found;
  } catch {
    return [body];
  }
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function headersOf(request: WireRequest): Record<string, string> {
  const value = quoted({ method: request.method, target: request.target, headers: request.headers }).replace(
    /[^\x20-\x7e]/g,
    "",
  );
  return {
    "content-type": "text/html",
    "x-request-id": value,
    server: value,
    location: `https://elsewhere.example/${value}`,
    "www-authenticate": value,
    "retry-after": value,
    "x-seen": value,
  };
}

function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}

/** Puts RPC URLs into a response, which an older version of the service doesn't mask, with a key that it quotes, too. */
function withRpcUrls(given: WireReply, { servicePath, servicePassword }: Planted): WireReply {
  const url = urlWith("rpc.service.example", servicePath, "", servicePassword);
  const quote = `${servicePath} ${servicePassword} ${encodeURIComponent(servicePassword)} ${url}`;
  const planted = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(planted);
    if (!isJsonObject(value)) return value;
    const list = ["custom_rpc_urls", "rpc_urls"].find((name) => Array.isArray(value[name]));
    const members = Object.entries(value).map(([name, member]) => [name, planted(member)] as const);
    return { ...Object.fromEntries(members), ...(list && { [list]: [{ url, weight: 1 }], note_x: quote }) };
  };
  const text = new TextDecoder().decode(given.body);
  try {
    return { ...given, body: new TextEncoder().encode(writeJson(planted(parseJson(text)))) };
  } catch {
    return given;
  }
}

/** Members that are shown as they are. */
const WORDS = /^(?:name|network|status_reason|description|message|details|disabled_reason)$/;

/** Adds quotes to a response: members, names of members, and headers; with `isOdd`, to the texts that commands show. */
function withQuotes(given: WireReply, request: WireRequest, isOdd: boolean): WireReply {
  const quote = quoted(request);
  const added = (value: JsonValue, depth = 0): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => added(item, depth + 1));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([name, member]) => {
      if (isOdd && WORDS.test(name) && typeof member === "string") return [name, `${member} ${quote}`];
      return [name, added(member, depth + 1)];
    });
    const more: JsonObject = depth > 0 && depth < 3 ? { note: quote, [quote]: { [quote]: quote } } : {};
    return { ...Object.fromEntries(members), ...more };
  };
  const headers = { ...given.headers, ...headersOf(request), "content-type": "application/json" };
  const text = new TextDecoder().decode(given.body);
  try {
    return { ...given, headers, body: new TextEncoder().encode(writeJson(added(parseJson(text)))) };
  } catch {
    return { ...given, headers };
  }
}

/** A node that is wrong in one of three ways, and quotes its request. */
function nodeOf(number: number): Transport {
  return async (request) => {
    const quote = quoted(request);
    if (number % 3 === 0) throw new TransportFailure("connect", `no route for ${quote}`, { sent: false });
    if (number % 3 === 1) return reply(503, `<html>${quote}</html>`, headersOf(request));
    const { id } = JSON.parse(request.body ?? "{}");
    return reply(200, { jsonrpc: "2.0", id, error: { code: -32000, message: quote, data: quote } });
  };
}

function filesWith(planted: Planted): Record<string, string> {
  const { key, path, user, password } = planted;
  const url = urlWith("rpc.example.com", path, user, password);
  const fleet = {
    relayers: [
      {
        id: "base-hot",
        name: `\${env:V}`,
        network: "base",
        network_type: "evm",
        paused: false,
        signer_id: "base-signer",
        custom_rpc_urls: [{ url, weight: 7 }, `https://more.example/\${env:V}`],
      },
    ],
    notifications: [
      { id: "ops-hook", type: "webhook", url: `https://hooks.example/\${file:v.txt}`, signing_key: `\${env:KEY}` },
      { id: "new-hook", type: "webhook", url: "https://hooks.example/x", signing_key: key },
    ],
    plugins: [{ id: "sweeper", path: "x.ts", config: { token: `\${file:v.txt}`, other: `a \${env:V} b` } }],
  };
  return {
    "fleet.json": JSON.stringify(fleet),
    "rpc.json": JSON.stringify({ custom_rpc_urls: [{ url, weight: 1 }] }),
    "hook.json": JSON.stringify({ url: "https://hooks.example/x", signing_key: key }),
    "wrong-hook.json": JSON.stringify({ url: 5, signing_key: key, signing_kye: "x" }),
    "payouts.csv": `to,value\n0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc,0.01eth\n`,
  };
}
