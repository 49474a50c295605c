import { resolve } from "node:path";
import type { App } from "../../app.ts";
import type { CommonFlags } from "../../command-support/common-flags.ts";
import { sayReceipt } from "../../command-support/printing.ts";
import { canPrompt, whyNoPrompt } from "../../command-support/prompting/prompts.ts";
import { probeService } from "../../command-support/session/probe.ts";
import type { Config, Context } from "../../config/config.ts";
import { absoluteCertificate } from "../../config/connection/client-certificate.ts";
import { parseServer, shownOrigin } from "../../config/connection/origin.ts";
import { contextNameProblem, contextWithCredentials } from "../../config/contexts.ts";
import {
  type HeaderSource,
  IDENTITY_VARIABLES,
  resolveSettings,
  type ServiceSettings,
} from "../../config/resolve-settings.ts";
import { parseSourced, RuleError } from "../../config/sourced.ts";
import { readToken } from "../../config/token/credentials.ts";
import { credentialsText } from "../../config/token/printed-token.ts";
import { tokenProblem } from "../../config/token/token-text.ts";
import { groupDigits } from "../../contract/decimal.ts";
import { type Problem, RelayctlError, rescue, usageError } from "../../errors.ts";
import type { Message } from "../../message.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { agreeToWeakerContext, changedContext } from "../context/change.ts";
import { defineTokenStoreFlags, type StoreFlags, tokenStoreFromFlags } from "../token-store/stored-token.ts";
import type { StoredToken } from "../token-store/token-home.ts";

export const authLogin: CommandFile<StoreFlags> = {
  summary: "Sign in to a service and store its token",
  sends: "probe",
  ends: {
    ok: "signed in",
    auth: "token refused, or not kept by the store",
    not_found: false,
    declined: "move of a protected context not confirmed",
    conflict: "context changed by another program",
  },
  examples: [
    "relayctl auth login",
    "relayctl auth login --context prod --server https://relayer.example.org --store pass",
    "relayctl auth login --context ci --server https://relayer.example.org --token-file - < token.txt",
  ],
  description:
    "Sign in to a service and store its URL and token in a context (`default`, unless --context specifies another). Prompts for the URL and the token unless --server and --token-file specify them, and verifies them by requesting a list of one relayer. Headers of --header are sent too, and stored with the token. With --store, a program of the system keeps the token: it gets the token on stdin, has to print the same token again, and becomes the context's token command.",
  define: defineTokenStoreFlags,
  run: runLogin,
};

/** Reads the config and looks for the store first: problems are reported before the user types a secret. */
async function runLogin(call: Call<StoreFlags>): Promise<View> {
  const { app, common, say } = call;
  const config = await app.config.read();
  const name = await chooseName(call, config);
  const stored = storedIn(config, name);
  refuseMissing(call, stored?.server);
  const from = await tokenStoreFromFlags(call, name, stored?.token_command);
  const server = await askServer(call, stored?.server);
  const signedIn = signedOut(config, name, server, common);
  const refuseUnasked = await agreeToWeakerContext(call, name, stored, signedIn);
  // A token command may print headers along with the earlier token.
  const printing = server === shownOrigin(stored?.server ?? "") ? { ...signedIn, ...credentialsOf(stored) } : signedIn;
  const settings = await loginSettings(call, name, { ...config, contexts: { ...config.contexts, [name]: printing } });
  const home = await from.home?.(server);
  const token = await askToken(call, settings);
  const { own, all } = await readLoginHeaders(app, settings);
  const { total } = await tryLogin(probeService(app, settings, { token, headers: all }), settings, common);
  let kept: StoredToken | undefined;
  let after: Config | undefined;
  const because: string[] = [];
  const change = async (now: Config) => {
    const context = signedOut(now, name, server, common);
    refuseUnasked(storedIn(now, name), context);
    if (home) refuseOvertaken(name, stored, storedIn(now, name));
    kept ??= await home?.put(credentialsText(token, own));
    after = {
      ...now,
      current: now.current ?? name,
      contexts: {
        ...now.contexts,
        [name]: contextWithCredentials(context, { token, headers: own }, kept?.tokenCommand),
      },
    };
    return after;
  };
  // The store and the config change together, and are restored together: no other login may come between.
  const changing = app.config.change(change, async () => void because.push(...((await kept?.undo()) ?? [])));
  await rescue(changing, (error) => {
    throw error.with({ because });
  });
  const left = await from.leave(kept?.tokenCommand);
  if (kept && stored?.token !== undefined) left.unshift("the plain token was removed from the config");
  const [done, ...notes] = loginNotes(app, { name, server, total, current: after?.current, place: kept?.place });
  await sayReceipt(say, [{ done }, ...notes, ...left]);
  return { kind: "nothing" };
}

function credentialsOf({ token_command, headers }: Partial<Context> = {}): Pick<Context, "token_command" | "headers"> {
  return headers ? { ...(token_command && { token_command }), headers } : {};
}

async function readLoginHeaders(app: App, { headers, server }: ServiceSettings) {
  if (headers.length === 0) return { own: {}, all: {} };
  const { readHeaders } = await import("../../config/token/read-headers.ts");
  const isOwn = (source: HeaderSource) => source.kind !== "command" || source.names !== undefined;
  const own = (await readHeaders({ server, headers: headers.filter(isOwn) }, app)).headers;
  const others = await readHeaders({ server, headers: headers.filter((source) => !isOwn(source)) }, app);
  return { own, all: { ...others.headers, ...own } };
}

function refuseOvertaken(name: string, before: Context | undefined, now: Context | undefined): void {
  const entryKey = ({ server = "", token_command = [] }: Partial<Context> = {}) => [server, ...token_command].join(" ");
  if (entryKey(before) === entryKey(now)) return;
  throw new RelayctlError("conflict", `another login changed context ${name} meanwhile; nothing was stored`, {
    hint: "relayctl auth status",
  });
}

async function tryLogin<T>(probing: Promise<T>, settings: ServiceSettings, { tokenFile }: CommonFlags): Promise<T> {
  return await rescue(probing, async (error) => {
    const from = tokenFile === undefined ? "that was typed" : `from --token-file ${tokenFile}`;
    const isGateway = error.subject?.kind === "gateway";
    const { gatewayHeadersLine } = await import("../../config/token/read-headers.ts");
    const rejected = isGateway ? gatewayHeadersLine(settings) : `${settings.server.value} rejected the token ${from}`;
    const isRejected = error.failure === "auth" || isGateway;
    const hint = isRejected ? "relayctl auth login --help" : error.hint;
    throw error.with({ because: [...(isRejected ? [rejected] : []), "nothing was stored"], hint });
  });
}

function storedIn({ contexts }: Config, name: string): Context | undefined {
  return Object.hasOwn(contexts, name) ? contexts[name] : undefined;
}

const USUAL_NAME = "default";

/** Asks for a new context's name if there are others: two services must not be confused. @throws RelayctlError usage */
async function chooseName({ app, common, entered }: Call, { contexts }: Config): Promise<string> {
  const isFirst = Object.keys(contexts).length === 0 || Object.hasOwn(contexts, USUAL_NAME);
  const asks = common.server === undefined || common.tokenFile === undefined;
  if (common.context === undefined && !isFirst && asks && canPrompt(app, common)) {
    const validate = (text: string) => contextNameProblem(text) ?? true;
    const name = await (await app.prompts()).text("Name of the new context:", { default: USUAL_NAME, validate });
    entered.add(["--context", name]);
    return name;
  }
  const { context = USUAL_NAME } = common;
  const rule = contextNameProblem(context);
  if (rule) throw usageError([{ where: "--context", given: context, rule }]);
  return context;
}

function signedOut(config: Config, name: string, server: string, { caFile, allowHttp, ...flags }: CommonFlags) {
  const { token: _, ...context } = changedContext(storedIn(config, name) ?? { server }, {
    server,
    token_command: null,
    ...(caFile && { ca_file: resolve(caFile) }),
    ...absoluteCertificate(flags, []),
    ...(allowHttp && { allow_http: allowHttp }),
  });
  return context;
}

/** Variables that select target and identity: a login must not silently use another target. */
const TARGET: readonly string[] = [...IDENTITY_VARIABLES, "RELAYCTL_CONTEXT"];

/** Returns a command's settings in a context that is not stored yet. @param config as it will be stored */
async function loginSettings({ app, common, say }: Call, name: string, config: Config): Promise<ServiceSettings> {
  const env = Object.fromEntries(Object.entries(app.env).filter(([variable]) => !TARGET.includes(variable)));
  const settings = await resolveSettings({ ...common, context: name }, env, async () => config);
  if (settings.demo) throw new Error("the demo was refused before");
  for (const note of settings.notes) await say({ note });
  return settings;
}

interface Login {
  name: string;
  server: string;
  total: number | undefined;
  current: string | undefined;
  /** Undefined for the config. */
  place?: string | undefined;
}

export function loginNotes(
  { config, env }: Pick<App, "config" | "env">,
  { name, server, total, current, place }: Login,
): [string, ...Message[]] {
  const seen = total === undefined ? "" : ` (${groupDigits(total)} ${total === 1 ? "relayer" : "relayers"} seen)`;
  const notes: [string, ...Message[]] = [
    `signed in to ${server} as context ${name}${seen}`,
    `the token is in ${place ?? `${shortPath(config.path, env.HOME)}, readable only by you`}`,
  ];
  if (current !== name)
    notes.push({
      note: `the current context is still ${current}; run ${commandLine("context", "use", name)} to switch`,
    });
  for (const variable of TARGET) {
    if (env[variable])
      notes.push({ note: `${variable} is set and overrides this context unless you specify --context` });
  }
  return notes;
}

function shortPath(path: string, home: string | undefined): string {
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Requires every value if no terminal is attached. @throws RelayctlError usage */
function refuseMissing({ app, common }: Call, known: string | undefined): void {
  const why = whyNoPrompt(app, common);
  if (why === undefined) return;
  const problems: Problem[] = [];
  const rule = `is required because ${why}`;
  if (common.server === undefined && known === undefined) problems.push({ where: "--server", rule });
  if (common.tokenFile === undefined) problems.push({ where: "--token-file", rule });
  if (problems.length > 0) throw usageError(problems, "relayctl auth login --help");
}

async function askServer({ app, common, entered }: Call, known: string | undefined): Promise<string> {
  if (common.server !== undefined) return parseOrigin("--server", common.server);
  if (!canPrompt(app, common)) return parseOrigin("the context's server", known ?? "");
  const prompts = await app.prompts();
  const answer = await prompts.text("Server URL:", {
    validate: validServer,
    ...(known !== undefined && validServer(known) === true && { default: known }),
  });
  entered.add(["--server", answer]);
  return parseOrigin("server", answer);
}

function parseOrigin(from: string, text: string): string {
  const problems: Problem[] = [];
  const origin = parseSourced({ value: text, from }, parseServer, problems);
  if (!origin) throw usageError(problems);
  return origin.value;
}

function validServer(text: string): true | string {
  try {
    parseServer(text);
    return true;
  } catch (error) {
    if (error instanceof RuleError) return `the URL ${error.message}`;
    throw error;
  }
}

async function askToken({ app, common }: Call, settings: ServiceSettings): Promise<string> {
  if (common.tokenFile !== undefined) return await readToken(settings, app);
  const token = await (await app.prompts()).hidden("Token (hidden):");
  app.secrets.add(token);
  const rule = tokenProblem(token);
  if (rule) throw usageError([{ where: "token", rule }]);
  return token;
}
