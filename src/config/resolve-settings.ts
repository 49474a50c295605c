import { type Problem, RelayctlError, rescue, usageError } from "../errors.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import type { Approvers, Config, Context, Erc20Tokens, Limits } from "./config.ts";
import type { ClientCertificateFiles } from "./connection/client-certificate.ts";
import { parseServer, plainHttpOriginProblem, shownOrigin } from "./connection/origin.ts";
import { proxyFor } from "./connection/proxy.ts";
import { type ConnectionFlags, type TypedConnection, typedConnection } from "./connection/typed-connection.ts";
import { type ChosenContext, chooseContext } from "./contexts.ts";
import { type Environment, readEnv } from "./environment.ts";
import type { NodeUrls } from "./nodes.ts";
import { projectContext, type ReadProject } from "./project/project.ts";
import { flagOrEnv, parseSourced, type Sourced } from "./sourced.ts";
import type { Headers } from "./token/headers.ts";
import { unknownVariableNotes } from "./variables.ts";

/** Takes flag, variable, context, default; a project file if nothing else selects a service. @throws usage */
export async function resolveSettings(
  flags: ConnectionFlags,
  env: Environment,
  readConfig: () => Promise<Config>,
  readProject?: ReadProject,
): Promise<Settings> {
  const problems: Problem[] = [];
  const bounds = boundsOf(flags, env, problems);
  const variableNotes = unknownVariableNotes(env);
  if (!flags.demo) {
    const service = await resolveService(flags, env, { readConfig, readProject }, problems);
    return { ...service, ...bounds, variableNotes: [...variableNotes, ...service.variableNotes] };
  }
  problems.push(...conflictsWithDemo(flags));
  if (problems.length > 0) throw usageError(problems);
  return { demo: true, ...bounds, variableNotes, notes: [] };
}

/** Returns the problems of `--demo`, which overrides variables and context, and excludes other targets. */
function conflictsWithDemo(flags: ConnectionFlags): Problem[] {
  const targets = {
    "--context": flags.context,
    "--server": flags.server,
    "--token-file": flags.tokenFile,
    "--header": flags.header,
  };
  return Object.entries(targets)
    .filter(([, value]) => value !== undefined)
    .map(([flag]) => ({ where: flag, rule: "cannot be combined with --demo" }));
}

type TypedTarget = Awaited<ReturnType<typeof typedTarget>>;

/** Variables that select server and identity, invalid if empty: a missing CI secret must not select another identity. */
export const IDENTITY_VARIABLES = [
  "RELAYCTL_SERVER",
  "RELAYCTL_TOKEN",
  "RELAYCTL_TOKEN_FILE",
  "RELAYCTL_HEADERS_FILE",
] as const;

/** Returns the typed target. A typed `--context` brings its server and credentials, not the environment's. */
async function typedTarget(flags: ConnectionFlags, env: Environment, problems: Problem[]) {
  refuseEmpty(flags, env, problems);
  const ignored = flags.context === undefined ? [] : IDENTITY_VARIABLES.filter((name) => env[name] !== undefined);
  const used = flags.context === undefined ? env : {};
  const headers = await resolveTypedHeaders(flags, used, problems);
  return {
    context: flagOrEnv("--context", flags.context, env, "RELAYCTL_CONTEXT"),
    server: parseSourced(flagOrEnv("--server", flags.server, used, "RELAYCTL_SERVER"), parseServer, problems),
    token: typedToken(flags, used, problems),
    headers,
    variableNotes: ignored.map((name) => `${name} is ignored because --context is set`),
    notes: visibleSettingsNotes(headers),
  };
}

export function visibleSettingsNotes(headers: readonly HeaderSource[]): string[] {
  const names = headers.flatMap((source) => (source.kind === "typed" ? Object.keys(source.headers) : []));
  return names.length === 0
    ? []
    : [`the shell's history and ps show the value of ${names.join(", ")}; use --header @FILE`];
}

export async function resolveTypedHeaders(
  { header = [] }: ConnectionFlags,
  env: Environment,
  problems: Problem[],
): Promise<HeaderSource[]> {
  const path = readEnv(env, "RELAYCTL_HEADERS_FILE");
  const files = header.filter((text) => text.startsWith("@")).map((text) => text.slice(1));
  const lines = header.filter((text) => !text.startsWith("@"));
  if (files.includes("")) problems.push({ where: "--header", rule: "needs the name of a file after @" });
  const headers = lines.length > 0 && (await import("./token/headers.ts")).readHeaderLines(lines, "--header", problems);
  return [
    ...(path ? [{ kind: "file", from: "RELAYCTL_HEADERS_FILE", path } as const] : []),
    ...files.map((file) => ({ kind: "file", from: "--header", path: file }) as const),
    ...(headers ? [{ kind: "typed", from: "--header", headers } as const] : []),
  ];
}

function refuseEmpty(flags: ConnectionFlags, env: Environment, problems: Problem[]): void {
  for (const [flag, value] of [
    ["--context", flags.context],
    ["--token-file", flags.tokenFile],
    ["--ca-file", flags.caFile],
  ] as const) {
    if (value === "") problems.push({ where: flag, rule: "is empty" });
  }
  for (const name of IDENTITY_VARIABLES) {
    if (env[name] === "") problems.push({ where: name, rule: "is empty; give it a value, or unset it" });
  }
}

function typedToken(flags: ConnectionFlags, env: Environment, problems: Problem[]): TokenSource | undefined {
  if (flags.tokenFile !== undefined) return { kind: "file", from: "--token-file", path: flags.tokenFile };
  const token = readEnv(env, "RELAYCTL_TOKEN");
  const path = readEnv(env, "RELAYCTL_TOKEN_FILE");
  if (token && path)
    problems.push({ where: "RELAYCTL_TOKEN_FILE", rule: "RELAYCTL_TOKEN is set too; unset one of them" });
  if (token) return { kind: "variable", from: "RELAYCTL_TOKEN", token };
  return path ? { kind: "file", from: "RELAYCTL_TOKEN_FILE", path } : undefined;
}
type Home = ChosenContext & { origin: Sourced<string> };

async function resolveService(
  flags: ConnectionFlags,
  env: Environment,
  { readConfig, readProject }: { readConfig: () => Promise<Config>; readProject: ReadProject | undefined },
  problems: Problem[],
): Promise<Omit<ServiceSettings, keyof Bounds>> {
  const target = await typedTarget(flags, env, problems);
  const way = typedConnection(flags, env, problems);
  throwIfAny(problems);
  const isComplete = target.server !== undefined && target.token !== undefined && !target.context;
  const config = isComplete ? await readConfigForNotes(target, readConfig) : await readConfig();
  const home =
    isComplete || !config
      ? undefined
      : resolveHome(chooseContext(config, await namedContext(target, readProject)), problems);
  const server = target.server ?? home?.origin;
  if (!server) throw noServerError(Object.keys(config?.contexts ?? {}));
  const allowHttp = resolveAllowHttp(way, server.value, home);
  const plain = plainHttpNotes(server, allowHttp.value, problems);
  const proxy = proxyFor(server.value, way.proxy, env, problems);
  const certificate = firstSourced(way.certificate, storedCertificate(server.value, home), home);
  throwIfAny(problems);
  const approvers = findApprovers(config, server.value, home);
  return {
    demo: false,
    server,
    ...contextRules(home),
    ...(approvers && { approvers }),
    token: target.token ?? (home ? tokenSource(home) : { kind: "none" }),
    headers: [...(home ? headerSources(home) : []), ...target.headers],
    allowHttp,
    caFiles: caFileSources(way, home, env),
    ...(certificate && { certificate }),
    ...(proxy && { proxy }),
    ...(way.proxy && { typedProxy: way.proxy }),
    variableNotes: target.variableNotes,
    notes: [...target.notes, ...plain, ...(home?.context.protected ? [] : protectedNotes(config, server.value))],
  };
}

/** Returns the specified context: a project file's if neither a context nor a server is typed. */
async function namedContext({ context, server }: TypedTarget, readProject: ReadProject | undefined) {
  return context ?? (server ? undefined : await projectContext(readProject));
}

function contextRules(home: Home | undefined) {
  const { name = "", from = "", context: stored } = home ?? {};
  const { protected: isProtected, journal, require_reason, read_only, nodes = {}, erc20 = {} } = stored ?? {};
  const { max_value, max_per_day, allow_to } = stored ?? {};
  return {
    ...(home && { context: { value: name, from } }),
    protected: isProtected ?? false,
    requiresReason: require_reason ?? false,
    limits: { ...(max_value && { max_value }), ...(max_per_day && { max_per_day }), ...(allow_to && { allow_to }) },
    ...(journal && { journal }),
    ...(read_only && { readOnly: read_only }),
    nodes,
    erc20,
  };
}

function throwIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw usageError(problems);
}

function noServerError([name, ...others]: readonly string[]): RelayctlError {
  if (name === undefined) return new RelayctlError("usage", NO_SERVER, { hint: "relayctl auth login" });
  const hint = others.length === 0 ? `relayctl context use ${name}` : "relayctl context list";
  return new RelayctlError("usage", "no context is in use, and RELAYCTL_SERVER is not set", { hint });
}

const NO_SERVER = "no server configured. Run `relayctl auth login`, set RELAYCTL_SERVER, or try --demo";

function resolveHome(chosen: ChosenContext | undefined, problems: Problem[]): Home | undefined {
  if (!chosen) return undefined;
  const origin = parseSourced({ value: chosen.context.server, from: `context ${chosen.name}` }, parseServer, problems);
  throwIfAny(problems);
  return origin && { ...chosen, origin };
}

/** Returns the first setting of flag, variable, context (promises 6). A typed context counts as a flag. */
function firstSourced<T>(typed: Sourced<T> | undefined, stored: T | undefined, home: Home | undefined) {
  const ofContext = home && stored !== undefined ? { value: stored, from: `context ${home.name}` } : undefined;
  const isFlag = typed?.from.startsWith("--");
  return home?.from === "--context" && !isFlag ? (ofContext ?? typed) : (typed ?? ofContext);
}

/** Returns whether plain http is allowed; a context only allows it for its server. */
function resolveAllowHttp({ allowHttp }: TypedConnection, server: string, home: Home | undefined): Sourced<boolean> {
  const stored = home?.origin.value === server ? home.context.allow_http : undefined;
  return firstSourced(allowHttp, stored, home) ?? { value: false, from: "default" };
}

function storedCertificate(server: string, home: Home | undefined): ClientCertificateFiles | undefined {
  if (home?.context.cert === undefined || home.origin.value !== server) return undefined;
  const { cert, key, key_passphrase_file: passphraseFile } = home.context;
  return { cert, ...(key && { key }), ...(passphraseFile && { passphraseFile }) };
}

/** @returns a note if plain http is allowed to another machine */
function plainHttpNotes(server: Sourced<string>, allowed: boolean, problems: Problem[]): readonly string[] {
  const rule = plainHttpOriginProblem(server.value);
  if (rule === undefined) return [];
  if (allowed) return [`the token is sent to ${server.value} without encryption, as allowed`];
  problems.push({ where: server.from, given: server.value, rule });
  return [];
}

/** Reads the config for a note, if it can. Server and token from variables do without (promises 6). */
async function readConfigForNotes(
  { server, token }: Pick<TypedTarget, "server" | "token">,
  readConfig: () => Promise<Config>,
) {
  const sources = [server?.from, token && "from" in token ? token.from : undefined];
  if (!sources.some((from) => from?.startsWith("--"))) return undefined;
  return await rescue(readConfig(), () => undefined);
}

/** Returns the approvers of any context of the same server: another name must not avoid them. */
function findApprovers(config: Config | undefined, server: string, home: Home | undefined) {
  const same = Object.entries(config?.contexts ?? {}).filter(([, context]) => shownOrigin(context.server) === server);
  const all: [string, Context][] = home?.origin.value === server ? [[home.name, home.context], ...same] : same;
  return all.flatMap(([name, { approvers }]) => (approvers ? [{ ...approvers, place: `context ${name}` }] : []))[0];
}

/** Returns notes about protected contexts: their server reached otherwise needs no consent (promises 5). */
function protectedNotes(config: Config | undefined, server: string): string[] {
  const guards = Object.entries(config?.contexts ?? {}).filter(([, context]) => context.protected);
  const name = guards.find(([, context]) => shownOrigin(context.server) === server)?.[0];
  if (name === undefined) return [];
  return [
    `this is the server of the protected context ${name}; only --context ${name} asks for its name before writes`,
  ];
}

function tokenSource({ name, context, origin }: Home): TokenSource {
  const bound = { from: `context ${name}`, boundTo: origin.value };
  if (context.token_command) return { kind: "command", ...bound, argv: context.token_command };
  return context.token === undefined ? { kind: "none" } : { kind: "stored", ...bound, token: context.token };
}

function headerSources({ name, context, origin }: Home): HeaderSource[] {
  const bound = { from: `context ${name}`, boundTo: origin.value };
  const { headers = {}, header_command: argv, token_command: printing = [] } = context;
  const stored = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const names = Object.keys(headers).filter((each) => headers[each] === null);
  return [
    ...(names.length > 0 ? [{ kind: "command", ...bound, argv: printing, names } as const] : []),
    ...(stored.length > 0 ? [{ kind: "stored", ...bound, headers: Object.fromEntries(stored) } as const] : []),
    ...(argv ? [{ kind: "command", ...bound, argv } as const] : []),
  ];
}

function caFileSources(way: TypedConnection, home: Home | undefined, env: Environment): Sourced<string>[] {
  const own = firstSourced(way.caFile, home?.context.ca_file, home);
  const nodes = readEnv(env, "NODE_EXTRA_CA_CERTS");
  return [...(own ? [own] : []), ...(nodes ? [{ value: nodes, from: "NODE_EXTRA_CA_CERTS" }] : [])];
}

/** How a command reaches its service: flags, variables, a context, and defaults combined (promises 6). */
export type Settings = (CommonSettings & { demo: true }) | ServiceSettings;

interface CommonSettings extends Bounds {
  notes: readonly string[];
  /** About the environment, which all contexts share. */
  variableNotes: readonly string[];
}

export interface ServiceSettings extends CommonSettings {
  demo: false;
  /** An address: `https://relayer.example.org`, or with a path, `https://gw.example.org/relayer`. */
  server: Sourced<string>;
  /** The context's name, and how it was chosen. Absent if flags or variables provided both server and token. */
  context?: Sourced<string>;
  token: TokenSource;
  /** By name, the last source counts. */
  headers: readonly HeaderSource[];
  /** Whether every write must be confirmed with the context's name. */
  protected: boolean;
  /** Whether the context refuses writes that cannot be recorded. */
  journal?: "required";
  requiresReason: boolean;
  readOnly?: boolean;
  /** Who signs writes, and which context of this server says so. */
  approvers?: Approvers & { place: string };
  limits: Limits;
  allowHttp: Sourced<boolean>;
  caFiles: readonly Sourced<string>[];
  /** Only for a service that demands one. */
  certificate?: Sourced<ClientCertificateFiles>;
  /** A proxy's URL, possibly with user-info: print it with `shownProxy`. Absent for a direct connection. */
  proxy?: Sourced<string>;
  /** The typed proxy for any server, including `none`; absent if the environment decides. */
  typedProxy?: Sourced<string>;
  nodes: NodeUrls;
  erc20: Erc20Tokens;
}

/** A context's headers are bound to its address; others go to the chosen server. */
export type HeaderSource =
  | { kind: "typed"; from: string; headers: Headers }
  /** The path is `-` for stdin. */
  | { kind: "file"; from: string; path: string }
  | { kind: "stored"; from: string; headers: Headers; boundTo: string }
  /** The names are a token command's; any other header that it prints is ignored. */
  | { kind: "command"; from: string; argv: readonly string[]; boundTo: string; names?: readonly string[] };

/** A context's token is bound to its address; any other goes to the chosen server. */
export type TokenSource =
  | { kind: "none" }
  | { kind: "variable"; from: "RELAYCTL_TOKEN"; token: string }
  /** The path is `-` for stdin. */
  | { kind: "file"; from: string; path: string }
  | { kind: "stored"; from: string; token: string; boundTo: string }
  | { kind: "command"; from: string; argv: readonly string[]; boundTo: string };
