import type { App } from "../../app.ts";
import { createClient } from "../../client/client.ts";
import type { ClientContext, ClientEvent } from "../../client/client-context.ts";
import { readOnlyRefusal } from "../../client/read-only.ts";
import { readBackEarlier } from "../../client/write.ts";
import { readOnlyPlace } from "../../config/environment.ts";
import { DEMO_ERC20 } from "../../config/erc20.ts";
import { hasNodes, nodeUrlFor } from "../../config/nodes.ts";
import type { ServiceSettings, Settings } from "../../config/resolve-settings.ts";
import { readToken } from "../../config/token/credentials.ts";
import type { Abi } from "../../contract/abi.ts";
import { knownSymbol } from "../../contract/amount.ts";
import { rescue, unsentError, usageError } from "../../errors.ts";
import type { Message } from "../../message.ts";
import { DEMO_ORIGIN } from "../../session/demo-target.ts";
import type { RecordedCommand } from "../../session/journaling/entries.ts";
import { type JournalFlags, sessionJournal } from "../../session/journaling/session-journal.ts";
import { networkBounds, openSessionNetwork } from "../../session/open-network.ts";
import { readCredentialHeaderNames, readCredentials } from "../../session/read-credentials.ts";
import { readSettings, settingsNotes } from "../../session/read-settings.ts";
import { refuseShown } from "../../session/refuse-shown.ts";
import type { KeptFacts, Say, Session, SessionReach } from "../../session/session.ts";
import { createStopwatch, type Stopwatch } from "../../session/stopwatch.ts";
import { commandLine, pasteableWords } from "../../shell/shell-words.ts";
import type { Call } from "../call.ts";
import { type CommonFlags, commonTargetFlags } from "../common-flags.ts";
import { linesWriter } from "../printing.ts";
import { askText, canPrompt, type EnteredLine, flagWords } from "../prompting/prompts.ts";
import { isDryRun } from "../shown.ts";

export interface SessionRequest {
  app: App;
  common: CommonFlags;
  /** Milliseconds for the whole command, without `--deadline`. */
  limit: number | undefined;
  /** If nothing may be sent, no token is needed. */
  sends: SessionReach;
  /** Set if the service may not require a token, which is then only read if it does. */
  isPublic: boolean;
  writes: boolean;
  showsUrls: boolean;
  /** The words after `relayctl`, for the journal. */
  argv: readonly string[];
  entered: EnteredLine;
  /** `--once` and its folder. */
  once: JournalFlags;
  /** The file of `--abi`. */
  abi?: string | undefined;
  say: Say;
  /** @param look returns the command that shows all writes of the run, if they are recorded */
  hear(event: ClientEvent, look: () => string | undefined): void;
}

export async function openSession(request: SessionRequest): Promise<Session> {
  const { app, common, argv, once, say, entered } = request;
  const settings = await readSettings(app, common);
  for (const note of settingsNotes(settings)) await say(note);
  const identity = identityFor(settings, common);
  let reason: Promise<string | undefined> | undefined;
  const reasonOnce = () => (reason ??= requiredReason({ app, entered }, settings, common));
  const readOnly = readOnlyPlace(app.env, settings.demo ? {} : settings);
  if (request.writes && request.sends === "all") {
    if (readOnly !== undefined) throw readOnlyRefusal("this command", readOnly);
    await reasonOnce();
  }
  const learned = createLearned();
  const told = { once, server: identity.origin, flags: identity.flags, isReadOnly: isDryRun(request) };
  const command = { app, settings, argv, ...told, coinOf: learned.coinOf, say };
  const { log, bulkLog, ...journal } = sessionJournal(command, reasonOnce);
  const stopwatch = createStopwatch(app.clock, settings.deadline?.value ?? request.limit);
  const look = () => {
    const run = once.state === undefined ? journal.recordedRun() : undefined;
    return run === undefined ? undefined : commandLine(...identity.flags, "history", "show", run);
  };
  const { verbose = 0 } = common;
  const report = eventReporter(say, verbose > 0);
  const trace = verbose > 0 ? await openTrace(request, verbose > 1) : undefined;
  const clientContext: ClientContext = {
    ...(await transportFor(settings, { ...request, app: withReadsUntil(stopwatch, app) })),
    ...networkBounds(app, settings),
    showsUrls: request.showsUrls,
    report(event) {
      report(event);
      request.hear(event, look);
    },
    ...(stopwatch.remaining && { remaining: stopwatch.remaining }),
    log,
    ...(trace && { trace }),
    ...{ readOnly, approvers: identity.approvers },
  };
  return {
    client: createClient(clientContext),
    ...openSurroundings(request, settings, identity.name),
    briefly: (limit, bounds) =>
      createClient({ ...clientContext, ...bounds, retries: 0, remaining: atMost(limit, clientContext.remaining) }),
    atTheEnd: (limit) =>
      createClient({ ...clientContext, interrupt: app.abandon, ...createStopwatch(app.clock, limit) }),
    readBack: (earlier, ownId) => readBackEarlier(earlier, clientContext, ownId),
    headerNames: () => readCredentialHeaderNames(settings, app, clientContext.headers),
    hide: (resources) => trace?.hide(resources),
    ...{ reach: request.sends, ...learned, ...(!settings.demo && { way: settings }) },
    ...ownNodes(settings, app, clientContext),
    inBulk: (bounds) => createClient({ ...clientContext, log: bulkLog, inBulk: true, ...bounds }),
    ...journal,
    requireReason: async () => {
      if (readOnly !== undefined) throw readOnlyRefusal("this request", readOnly);
      await stopwatch.pausing(reasonOnce());
    },
    ...identity,
    pasteable: (argv) => pasteableWords([...identity.flags, ...argv], app),
    ...stopwatch,
  };
}

/** What a command learns about networks and relayers; `coinOf` returns a relayer's coin, if it was read. */
function createLearned(): Pick<Session, "coins" | "networks" | "placed"> & Pick<Required<RecordedCommand>, "coinOf"> {
  const [coins, placed]: [Session["coins"], Session["placed"]] = [new Map(), new Map()];
  const coinOf = async (relayerId: string) => {
    const { network } = placed.get(relayerId) ?? {};
    return typeof network === "string" ? ((await coins.get(network)) ?? knownSymbol(network)) : undefined;
  };
  return { coins, networks: new Map(), placed, coinOf };
}

async function openTrace({ app, common }: SessionRequest, showsBodies: boolean) {
  return (await import("../trace.ts")).createTrace(linesWriter(app, common), {
    withBodies: showsBodies,
    hide: app.secrets.redact,
  });
}

/** The nodes are loaded when the first node is opened. `--demo` overrides them, like every variable. */
function ownNodes(settings: Settings, app: App, context: ClientContext): Pick<Session, "hasOwnNodes" | "ownNode"> {
  if (settings.demo) return { hasOwnNodes: false, ownNode: async () => undefined };
  return {
    hasOwnNodes: hasNodes(app.env, settings.nodes),
    async ownNode(network, { url: typed, timeout = context.timeout } = {}) {
      const url = typed ?? (network === undefined ? undefined : nodeUrlFor(network, app.env, settings.nodes));
      if (url === undefined) return undefined;
      const { openOwnNode } = await import("../../session/own-node.ts");
      return await openOwnNode(url, app, settings, {
        ...context,
        timeout: Math.min(timeout, context.timeout),
      });
    },
  };
}

function openSurroundings(
  { app, say, abi: typed }: Pick<SessionRequest, "app" | "say" | "abi">,
  settings: Settings,
  name: string,
): Pick<Session, "clock" | "interrupt" | "say" | "kept" | "abis"> {
  const readAbis = async (say: Say) =>
    (await import("../../session/abis.ts")).readSessionAbis(app, { name, typed, say });
  let quiet: Promise<Abi[]> | undefined;
  const abis = async (say?: Say) => {
    if (say) return await readAbis(say);
    quiet ??= rescue(
      readAbis(async () => {}),
      () => [],
    );
    return await quiet;
  };
  const kept = (name: string): KeptFacts => {
    const file = app.kept(name);
    return { load: () => file.load(), renew: (make) => file.renew(async (text) => app.secrets.redact(make(text))) };
  };
  const hasContext = !settings.demo && settings.context !== undefined;
  return { clock: app.clock, interrupt: app.interrupt, say, abis, ...(hasContext && { kept }) };
}

function atMost(limit: number, remaining: ClientContext["remaining"]): () => number {
  return () => Math.min(limit, remaining?.() ?? limit);
}

/** Returns the app without endless reads: a pipe may stay silent. */
export function withReadsUntil({ remaining }: Stopwatch, app: App): App {
  if (!remaining) return app;
  const until = async <T>(reading: Promise<T>, from: string): Promise<T> => {
    const read = new AbortController();
    const late = app.clock.sleep(remaining(), read.signal).then(() => {
      if (read.signal.aborted) return reading;
      throw unsentError("network", `${from} had not ended when the deadline passed`);
    });
    return await Promise.race([reading, late]).finally(() => read.abort());
  };
  const { files } = app;
  const readFile: typeof files.read = (path, ...rest) => until(files.read(path, ...rest), path);
  const readStdin = (most: number) => until(app.stdin.read(most), "stdin");
  return Object.create(app, {
    files: { value: Object.create(files, { read: { value: readFile } }) },
    stdin: { get: () => Object.create(app.stdin, { read: { value: readStdin } }) },
  });
}

type Way = Pick<ClientContext, "transport" | "token" | "headers" | "readToken" | "renewed">;

async function transportFor(settings: Settings, { app, sends, isPublic, say }: SessionRequest): Promise<Way> {
  if (sends === "nothing") return { token: "", transport: refuseShown };
  const way = settings.demo ? await app.demo() : await networkWay(settings, app, isPublic, say);
  if (sends !== "reads") return way;
  const { readingOnly } = await import("../../session/reading-only.ts");
  return { ...way, transport: readingOnly(way.transport) };
}

async function networkWay(settings: ServiceSettings, app: App, isPublic: boolean, say: Say): Promise<Way> {
  const { token, headers, renewed } = await readCredentials(settings, app, { withToken: !isPublic, say });
  return {
    ...{ token, headers },
    ...(isPublic && { readToken: () => readToken(settings, app) }),
    ...(renewed && { renewed }),
    transport: await openSessionNetwork(app, settings),
  };
}

type Identity = Pick<Session, "name" | "flags" | "origin" | "isDemo" | "protected" | "limits" | "erc20" | "approvers">;

function identityFor(settings: Settings, common: CommonFlags): Identity {
  const typed = commonTargetFlags(common);
  if (settings.demo) {
    const demo = { name: "demo", flags: typed, origin: DEMO_ORIGIN, isDemo: true, erc20: DEMO_ERC20 };
    return { ...demo, protected: false, limits: {} };
  }
  const { server, context, protected: isProtected, limits, erc20, approvers } = settings;
  const flags = context && common.context === undefined ? ["-c", context.value, ...typed] : typed;
  const name = context?.value ?? server.value;
  return { name, flags, origin: server.value, isDemo: false, protected: isProtected, limits, erc20, approvers };
}

async function requiredReason(
  { app, entered }: Pick<Call, "app" | "entered">,
  settings: Settings,
  common: CommonFlags,
): Promise<string | undefined> {
  const { reason } = common;
  if (settings.demo || !settings.requiresReason || reason !== undefined) return reason;
  const context = settings.context?.value;
  if (!canPrompt(app, common)) {
    const rule = `context ${context} requires a reason for each write; nothing was sent`;
    throw usageError([{ where: "--reason", rule }]);
  }
  const answer = await askText(await app.prompts(), {
    question: `Reason for this change in ${context}:`,
    example: "new owner",
    problem: (answer) => (answer.trim() === "" ? "enter a reason" : undefined),
  });
  entered.add(flagWords("--reason", answer));
  return answer;
}

/** Reports the client's events: all with `--verbose`, otherwise notes, and each once, since a watch repeats them. */
function eventReporter(say: Say, verbose: boolean): (event: ClientEvent) => void {
  let noted: string | undefined;
  return (event) => {
    if (event.type === "note" && event.text === noted) return;
    if (event.type === "note") noted = event.text;
    const line = verbose || event.type === "note" ? eventText(event) : undefined;
    // A line that cannot be written must not affect a request.
    if (line) say(line).catch(() => {});
  };
}

function eventText(event: ClientEvent): Message {
  switch (event.type) {
    case "attempt":
      return { trace: `> ${event.method} ${event.target} (attempt ${event.attempt} of ${event.of})` };
    case "reply":
      return { trace: `< ${event.status}, ${event.bytes} bytes, ${event.milliseconds} ms` };
    case "no_reply":
      return { trace: `< no response: ${event.why}` };
    case "retry":
      return { trace: `  again in ${event.wait} ms: ${event.why}` };
    case "respelled":
      return { trace: `  rejected (${event.words}); sent again in the format of the real service` };
    case "page":
      return { trace: `  page ${event.page}${event.of === undefined ? "" : ` of ${event.of}`}` };
    case "accepted":
      return "";
    case "note":
      return { note: event.text };
  }
}
