import { resolve } from "node:path";
import type { App } from "../../app.ts";
import type { CommonFlags } from "../../command-support/common-flags.ts";
import { sayReceipt } from "../../command-support/printing.ts";
import type { Config, Context } from "../../config/config.ts";
import { absoluteCertificate } from "../../config/connection/client-certificate.ts";
import { parseServer, plainHttpOriginProblem, shownOrigin } from "../../config/connection/origin.ts";
import { contextNamed, contextNameProblem } from "../../config/contexts.ts";
import { unknownLabel } from "../../config/labels.ts";
import { parseSourced, RuleError } from "../../config/sourced.ts";
import { amountOr } from "../../contract/amount.ts";
import { tryParseJson } from "../../contract/json.ts";
import { maskRpcUrl } from "../../contract/rpc-url.ts";
import { type Problem, rescue, usageError } from "../../errors.ts";
import { type LimitAmount, type LimitChange, parseLimitAmount } from "../../limits/limit-amounts.ts";
import type { Message } from "../../message.ts";
import { labelConflict, readLabels } from "../../session/labels.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import { LIMITED_DAY } from "../../timing.ts";
import type { Call, CommandFile, CommandSyntax, ParsedFlags } from "../command.ts";
import { approverChange, defineApproverFlags, requireSameApprovers } from "./approver-flags.ts";
import { newContextArgument } from "./argument.ts";
import {
  agreeToWeakerContext,
  type ContextChange,
  changedContext,
  contextHeaderChange,
  contextNodeChange,
  defineContextNodeFlags,
  defineHeaderFlags,
} from "./change.ts";
import { defineErc20Flags, typedErc20 } from "./erc20-flags.ts";

type Flags = ParsedFlags<typeof defineContextSet>;

export const contextSet: CommandFile<Flags> = {
  summary: "Change a context, or create one",
  sends: "probe",
  refuses: {
    context: "not supported: the context is the argument",
    tokenFile: "not supported: the context has its own token",
  },
  ends: {
    ok: "created or changed",
    declined: "change of a protected or read-only context not confirmed, or not signed by its approvers",
    conflict: "changed by another program",
  },
  examples: [
    "relayctl context set prod --protected",
    `relayctl context set prod --token-command '["pass","relayctl/prod"]'`,
    "relayctl context set staging --server https://staging.example.org --no-token-command",
  ],
  args: [newContextArgument],
  description:
    "Change a context, or create one with --server. Setting another server removes the stored token and headers, which belong to the old server. --header stores a header where the token is kept. Allowing writes in a read-only context, removing protection from a context, or moving a protected context to another server or loosening its rules, requires confirmation.",
  define: defineContextSet,
  run: runContextSet,
};

function defineContextSet(command: CommandSyntax) {
  return command
    .optionsGroup("Context")
    .option(
      "--token-command <words>",
      "Get the token from a command, as a JSON array or one word per flag (repeatable)",
      "values",
    )
    .option("--no-token-command", "Remove the token command")
    .include(defineHeaderFlags)
    .option("--protected", "Require the context's name before every write, except pausing one relayer")
    .option("--no-protected", "Stop asking before writes (requires confirmation)")
    .option("--require-reason", "Require --reason for every write")
    .option("--no-require-reason", "Allow writes without --reason")
    .option("--read-only", "Refuse every write and signature")
    .option("--no-read-only", "Allow writes again (requires confirmation)")
    .option("--require-journal", "Refuse writes that the journal cannot record")
    .option("--no-require-journal", "Send writes even if the journal cannot record them")
    .option(
      "--max-value <amount>",
      "Require the context's name above this value of a transaction, e.g. 1eth (repeatable, one per coin)",
      "values",
    )
    .option("--no-max-value", "Remove the limits for one transaction")
    .option(
      "--max-per-day <amount>",
      `Require the context's name above this sum in ${LIMITED_DAY / 3_600_000} hours, e.g. 10eth (repeatable, one per coin)`,
      "values",
    )
    .option("--no-max-per-day", `Remove the limits for ${LIMITED_DAY / 3_600_000} hours`)
    .option(
      "--allow-to <addresses>",
      "Require the context's name for any other receiver (repeatable; replaces the earlier list)",
      "values",
    )
    .option("--no-allow-to", "Allow any receiver")
    .option("--no-ca-file", "Remove the additional certificates (--ca-file sets them)")
    .option("--no-cert", "Remove the client certificate (--cert sets it)")
    .option("--no-allow-http", "Disallow plain HTTP to other machines (--allow-http allows it)")
    .include(defineApproverFlags)
    .include(defineContextNodeFlags)
    .include(defineErc20Flags);
}

async function runContextSet(call: Call<Flags>): Promise<View> {
  const { app, args, say } = call;
  const [name = ""] = args;
  const config = await app.config.read();
  const valid = await validatedChange(call, name);
  const { erc20: before } = (Object.hasOwn(config.contexts, name) && config.contexts[name]) || {};
  const { nodes } = valid.change;
  const erc20 =
    valid.erc20 &&
    (await (await import("./agree-to-erc20.ts")).agreeToErc20(call, name, valid.erc20, { before, nodes }));
  const { moved, change } = await withoutStoredToken(call, config, name, { ...valid.change, ...(erc20 && { erc20 }) });
  const now = changeConfig(config, name, change);
  if (app.captureRules) {
    await app.captureRules({ name, ...now });
    return { kind: "nothing" };
  }
  const refuseUnasked = await agreeToWeakerContext(call, name, now.before, now.after);
  const home =
    change.headers &&
    (await (await import("../token-store/stored-token.ts")).headerStore(call, name, now.before, change));
  let lines: readonly Message[] = [];
  const because: string[] = [];
  const edit = async (config: Config): Promise<Config> => {
    const { before, after } = changeConfig(config, name, change);
    refuseUnasked(before, after);
    lines = [...contextReceipt(name, before, after), ...moved, ...nodeLines(change), ...erc20Lines(change)];
    return { ...config, contexts: { ...config.contexts, [name]: home ? await home.put(after) : after } };
  };
  const changing = app.config.change(edit, async () => void because.push(...((await home?.undo()) ?? [])));
  await rescue(changing, (error) => {
    throw error.with({ because });
  });
  await sayReceipt(say, [...lines, ...((await home?.leave()) ?? [])]);
  return { kind: "nothing" };
}

/** Both a stored token and one in the config are for one server. */
async function withoutStoredToken(call: Call<Flags>, config: Config, name: string, change: ContextChange) {
  const before = Object.hasOwn(config.contexts, name) ? config.contexts[name] : undefined;
  const isMoved = before && change.server !== undefined && change.server !== shownOrigin(before.server);
  if (!isMoved || change.token_command !== undefined) return { change, moved: [] };
  const { storedTokenPlace } = await import("../token-store/stored-token.ts");
  const place = (await storedTokenPlace(call, name, before.token_command))?.place;
  if (place === undefined) return { change, moved: [] };
  const signIn = commandLine("auth", "login", "--context", name, "--server", String(change.server));
  const moved = [
    `the token in ${place} is for ${shownOrigin(before.server)} and is no longer used; sign in again: ${signIn}`,
  ];
  return { change: { ...change, token_command: null }, moved };
}

const HELP = "relayctl context set --help";

async function validatedChange(call: Call<Flags>, name: string) {
  const problems: Problem[] = [];
  const rule = contextNameProblem(name);
  if (rule) problems.push({ where: "<name>", given: name, rule });
  const nodes = await contextNodeChange(call, problems);
  const limits = await limitChange(call, problems);
  const headers = await contextHeaderChange(call, problems);
  const approvers = await approverChange(call, problems);
  const erc20 = await typedErc20(call, problems);
  const flags = changeFromFlags(call.flags, call.common, problems);
  const change = {
    ...flags,
    ...(nodes && { nodes }),
    ...(limits && { limits }),
    ...(headers && { headers }),
    ...(approvers !== undefined && { approvers }),
  };
  if (problems.length === 0 && !erc20 && Object.keys(change).length === 0) {
    problems.push({ where: "context set", rule: "nothing to change; specify a flag" });
  }
  if (problems.length > 0) throw usageError(problems, HELP);
  return { change, erc20 };
}

function changeConfig(config: Config, name: string, change: ContextChange) {
  const before = Object.hasOwn(config.contexts, name) ? config.contexts[name] : undefined;
  const after = changedContext(before ?? newContext(config, name, change), change);
  refusePlainHttp(after, change);
  if (!before?.approvers && after.approvers) requireSameApprovers(config.contexts, after);
  return { before, after };
}

function newContext(config: Config, name: string, { server }: ContextChange): Context {
  return server === undefined ? contextNamed(config, name) : { server };
}

function refusePlainHttp({ server, allow_http }: Context, change: ContextChange): void {
  const rule = change.server === undefined || allow_http ? undefined : plainHttpOriginProblem(server);
  if (rule) throw usageError([{ where: "--server", given: server, rule }]);
}

function contextReceipt(name: string, before: Context | undefined, after: Context): readonly Message[] {
  const signIn = commandLine("auth", "login", "--context", name, "--server", after.server);
  if (!before) return [{ done: `created context ${name}` }, ...(after.token_command ? [] : [`to sign in: ${signIn}`])];
  const dropped = before.token !== undefined && after.token === undefined && !after.token_command;
  const lost = Object.keys(before.headers ?? {}).filter((each) => !Object.hasOwn(after.headers ?? {}, each));
  return [
    { done: `changed context ${name}` },
    ...(dropped ? [`the token was for ${shownOrigin(before.server)} and was removed; sign in again: ${signIn}`] : []),
    ...(lost.length > 0 ? [`the headers for ${shownOrigin(before.server)} were removed: ${lost.join(", ")}`] : []),
  ];
}

function nodeLines({ nodes = {} }: ContextChange): string[] {
  return Object.entries(nodes).map(([network, url]) =>
    url === null ? `removed the node of ${network}` : `node of ${network}: ${maskRpcUrl(url)}`,
  );
}

function erc20Lines({ erc20 }: ContextChange): string[] {
  const { add = [], remove = [] } = erc20 ?? {};
  return [
    ...remove.map(({ name, network }) => `removed token ${name}${network === undefined ? "" : ` on ${network}`}`),
    ...add.map(({ name, network }) => `added token ${name} on ${network}: relayctl relayers status --erc20`),
  ];
}

function changeFromFlags(flags: Flags, common: CommonFlags, problems: Problem[]): ContextChange {
  const server =
    common.server === undefined
      ? undefined
      : parseSourced({ value: common.server, from: "--server" }, parseServer, problems);
  const { cert, protected: isProtected, requireReason, readOnly, requireJournal, allowHttp } = flags;
  const change = {
    server: server?.value,
    token_command: parseCommandFlag("--token-command", flags.tokenCommand, problems),
    header_command: parseCommandFlag("--header-command", flags.headerCommand, problems),
    protected: isProtected,
    require_reason: requireReason,
    read_only: readOnly,
    journal: requireJournal === false ? null : requireJournal && ("required" as const),
    ca_file: parseCaFile(flags, common, problems),
    ...(cert === false ? NO_CERTIFICATE : absoluteCertificate(common, problems)),
    allow_http: common.allowHttp ?? (allowHttp === false ? false : undefined),
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const NO_CERTIFICATE = { cert: null, key: null, key_passphrase_file: null };

/** Returns the absolute path, since the context is used from any folder. */
function parseCaFile(flags: Flags, { caFile }: CommonFlags, problems: Problem[]): string | null | undefined {
  if (caFile === undefined) return flags.caFile === false ? null : undefined;
  if (caFile === "") problems.push({ where: "--ca-file", rule: "is empty; --no-ca-file removes it" });
  return resolve(caFile);
}

/** Parses a command: one value is the whole command as JSON; several values are its words; null removes it. */
function parseCommandFlag(flag: string, values: readonly string[] | false | undefined, problems: Problem[]) {
  if (!values) return values === false ? null : undefined;
  const [first = "", ...more] = values;
  if (more.length === 0 && /^\s*\[|\s/.test(first)) {
    return parseSourced({ value: first, from: flag }, parseCommand, problems)?.value;
  }
  if (first === "") problems.push({ where: flag, rule: `is empty; --no-${flag.slice(2)} removes it` });
  return [...values];
}

function parseCommand(text: string): string[] {
  const value = tryParseJson(text);
  const words = Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
  if (Array.isArray(value) && words.length === value.length && words[0]) return words;
  throw new RuleError(`a program and its arguments as JSON, e.g. ["pass","relayctl"], or one word per flag`);
}

async function limitChange(
  { app, flags: { maxValue, maxPerDay, allowTo } }: Pick<Call<Flags>, "app" | "flags">,
  problems: Problem[],
): Promise<LimitChange | undefined> {
  const value = parseAmounts("--max-value", maxValue, problems);
  const perDay = parseAmounts("--max-per-day", maxPerDay, problems);
  const to = await readAddresses(allowTo, app, problems);
  const change: LimitChange = {
    ...(value !== undefined && { max_value: value }),
    ...(perDay !== undefined && { max_per_day: perDay }),
    ...(to !== undefined && { allow_to: to }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

function parseAmounts(where: string, texts: string[] | false | undefined, problems: Problem[]) {
  if (!texts) return texts === false ? null : undefined;
  const amounts = new Map<string, string>();
  for (const given of texts.flatMap((text) => text.split(","))) {
    const read = parseLimit(where, given, problems);
    if (read && amounts.has(read.coin)) problems.push({ where, given, rule: `${read.coin} is specified twice` });
    if (read) amounts.set(read.coin, String(read.amount));
  }
  return Object.fromEntries(amounts);
}

function parseLimit(where: string, given: string, problems: Problem[]): LimitAmount | undefined {
  return amountOr(
    () => parseLimitAmount(given.trim()),
    (rule) => void problems.push({ where, given, rule }),
  );
}

async function readAddresses(
  texts: string[] | false | undefined,
  app: Pick<App, "config" | "project">,
  problems: Problem[],
): Promise<string[] | null | undefined> {
  if (!texts) return texts === false ? null : undefined;
  const { addressKind } = await import("../../contract/address-kind.ts");
  const typed = texts.flatMap((text) => text.split(",")).map((text) => text.trim());
  const labels = typed.some((text) => text.startsWith("@")) ? await readLabels(app) : [];
  const addresses = typed.flatMap((given) => {
    if (given.startsWith("@")) {
      const found = labels.filter(({ name }) => `@${name}` === given);
      const [rule] =
        found.length === 0
          ? [unknownLabel(given, labels)]
          : found.flatMap((label) => labelConflict(labels, label) ?? []);
      if (rule !== undefined) problems.push({ where: "--allow-to", given, rule });
      return found.map(({ address }) => address);
    }
    const found = addressKind(given);
    if ("problem" in found) problems.push({ where: "--allow-to", given: given || "(empty)", rule: found.problem });
    return given;
  });
  return [...new Set(addresses)];
}
