import { askConsent, type ConsentQuestion } from "../../command-support/consent/consent.ts";
import type { Context, Limits } from "../../config/config.ts";
import { shownOrigin } from "../../config/connection/origin.ts";
import { type NodeUrls, parseNodeUrl } from "../../config/nodes.ts";
import { resolveTypedHeaders, visibleSettingsNotes } from "../../config/resolve-settings.ts";
import { parseSourced } from "../../config/sourced.ts";
import { mergedHeaders } from "../../contract/header-rules.ts";
import { type Problem, RelayctlError } from "../../errors.ts";
import { changedLimitAmounts, type LimitChange, looserLimitAmounts } from "../../limits/limit-amounts.ts";
import { hideUrl } from "../../session/hide-secrets.ts";
import { readInputText } from "../../session/input-file.ts";
import type { Call, CommandSyntax, ParsedFlags } from "../command.ts";
import { type ApproverChange, changedApprovers, requireSigned } from "./approver-flags.ts";
import { changedErc20, type Erc20Change } from "./erc20-change.ts";

export function defineContextNodeFlags(command: CommandSyntax) {
  return command
    .option(
      "--node <network=url>",
      "Read the chain of a network from this node; `-` as the URL reads it from stdin (repeatable)",
      "values",
    )
    .option("--unset-node <network>", "Read the chain of a network through its relayers again (repeatable)", "values");
}

/** URLs of nodes by network; null removes a node. */
export type NodeChange = Readonly<Record<string, string | null>>;

const NETWORK = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export async function contextNodeChange(
  { app, flags }: Pick<Call<ParsedFlags<typeof defineContextNodeFlags>>, "app" | "flags">,
  problems: Problem[],
): Promise<NodeChange | undefined> {
  const change = new Map<string, string | null>();
  const isNew = (where: string, network: string) => {
    const rule = change.has(network) ? `network ${network} is specified twice` : NEEDED[where];
    const isValid = NETWORK.test(network) && !change.has(network);
    if (!isValid) problems.push({ where, rule: rule ?? "" });
    return isValid;
  };
  for (const text of flags.node ?? []) {
    const at = Math.max(0, text.indexOf("="));
    const network = text.slice(0, at);
    if (isNew("--node", network)) change.set(network, await readUrl(app, network, text.slice(at + 1), problems));
  }
  for (const network of flags.unsetNode ?? []) if (isNew("--unset-node", network)) change.set(network, null);
  return change.size === 0 ? undefined : Object.fromEntries(change);
}

/** Reads the URL of a node, whose keys are never printed; null if it is invalid, which is a problem. */
async function readUrl(app: Call["app"], network: string, typed: string, problems: Problem[]): Promise<string | null> {
  const value = typed === "-" ? (await readInputText(app, "-")).trim() : typed;
  const url = parseSourced({ value, from: `--node ${network}` }, parseNodeUrl, problems)?.value ?? null;
  if (url !== null) hideUrl(app, url);
  return url;
}

const NEEDED: Readonly<Record<string, string>> = {
  "--node": "must be the name of a network, =, and a URL, e.g. mainnet=https://rpc.example.org",
  "--unset-node": "must be the name of a network, e.g. mainnet",
};

function changedNodes(before: NodeUrls = {}, change: NodeChange = {}): Record<string, string> | undefined {
  const all = { ...before, ...change };
  const kept = Object.entries(all).flatMap(([network, url]) => (url === null ? [] : [[network, url] as const]));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The members about trust in a server, which don't carry over to another. */
const OF_SERVER = ["token", "headers", "cert", "key", "key_passphrase_file", "allow_http"] as const;
/** The members that a change merges by special rules. */
type Merged = "headers" | "nodes" | "approvers" | "erc20" | keyof Limits;
type Plain = Omit<Context, "server" | "token" | Merged>;

/** The stored form of a context's change: absent keeps a member, null removes it. */
export type ContextChange = { [Name in keyof Plain]?: Plain[Name] | null } & {
  server?: string;
  headers?: HeaderChange;
  nodes?: NodeChange;
  approvers?: ApproverChange;
  limits?: LimitChange;
  erc20?: Erc20Change;
};

/** In the order of the file. */
const ORDER: readonly (keyof Context)[] = [
  ...(["server", "token", "token_command", "headers", "header_command", "protected", "ca_file", "cert"] as const),
  ...(["key", "key_passphrase_file", "allow_http", "journal", "require_reason", "read_only", "approvers"] as const),
  ...(["max_value", "max_per_day", "allow_to", "nodes", "erc20"] as const),
];
/** Switches that are stored even if they are off. */
const STORED_OFF: readonly (keyof Context)[] = ["protected", "allow_http"];

/** Returns a context with a change applied. Trust in one server does not carry over to another. */
export function changedContext(before: Context, change: ContextChange): Context {
  const moves = change.server !== undefined && change.server !== shownOrigin(before.server);
  const { headers, nodes, approvers, limits, erc20, ...plain } = change;
  const { max_value: _value, max_per_day: _day, allow_to: _to, approvers: _approvers, erc20: tokens, ...own } = before;
  const isPrinted = before.token_command !== undefined && change.token_command === undefined;
  const after: { readonly [Name in keyof Context]?: unknown } = {
    ...own,
    ...(moves && Object.fromEntries(OF_SERVER.map((name) => [name, null]))),
    ...(change.token_command && { token: null }),
    ...plain,
    headers: changedHeaders(moves ? {} : before.headers, headers, isPrinted),
    nodes: changedNodes(before.nodes, nodes),
    ...changedApprovers(before, approvers),
    ...changedLimitAmounts(before, limits),
    ...changedErc20(tokens, erc20),
  };
  const isKept = (name: keyof Context) => (after[name] ?? null) !== null && (after[name] || STORED_OFF.includes(name));
  const others = Object.entries(before).filter(([name]) => name === "protected" || !ORDER.some((one) => one === name));
  return Object.fromEntries([...others, ...ORDER.filter(isKept).map((name) => [name, after[name]])]);
}

export function defineHeaderFlags(command: CommandSyntax) {
  return command
    .option("--unset-header <name>", "Stop sending a header that --header stored (repeatable)", "values")
    .option(
      "--header-command <words>",
      "Get further headers from a command that prints JSON, as a JSON array or one word per flag (repeatable)",
      "values",
    )
    .option("--no-header-command", "Remove the header command");
}

/** By name; null removes a header. */
export type HeaderChange = Readonly<Record<string, string | null>>;

export async function contextHeaderChange(
  { app, common, flags, say }: Pick<Call<ParsedFlags<typeof defineHeaderFlags>>, "app" | "common" | "flags" | "say">,
  problems: Problem[],
): Promise<HeaderChange | undefined> {
  const removed = (flags.unsetHeader ?? []).map((name) => [name, null] as const);
  if (!common.header) return removed.length === 0 ? undefined : Object.fromEntries(removed);
  const headers = await resolveTypedHeaders(common, {}, problems);
  if (problems.length > 0) return undefined;
  for (const note of visibleSettingsNotes(headers)) await say({ note });
  const { readHeaders } = await import("../../config/token/read-headers.ts");
  const read = await readHeaders({ headers, server: { value: "", from: "" } }, app);
  return { ...Object.fromEntries(removed), ...read.headers };
}

/** @param isPrinted whether its token command still prints the headers that have no value here */
function changedHeaders(
  before: Readonly<Record<string, string | null>> = {},
  change: HeaderChange = {},
  isPrinted = true,
): Record<string, string | null> | undefined {
  const removed = Object.keys(change).filter((name) => change[name] === null);
  const isLeft = (name: string) => !removed.some((each) => each.toLowerCase() === name.toLowerCase());
  const set = Object.entries(change).filter(([, value]) => value !== null);
  const kept = Object.entries(before).filter(([name, value]) => isLeft(name) && (isPrinted || value !== null));
  const all = mergedHeaders(Object.fromEntries(kept), Object.fromEntries(set));
  return Object.keys(all).length === 0 ? undefined : all;
}

/**
 * Prompts before a change that leaves the server of a protected or read-only context less guarded: its mode or protection ends, it
 * moves to another server, or a rule for its writes is loosened.
 * @returns a function that refuses the change if, when it is written, it needs consent that was not requested
 * @throws RelayctlError declined
 */
export async function agreeToWeakerContext(
  call: Call,
  name: string,
  before: Context | undefined,
  after: Context,
): Promise<(before: Context | undefined, after: Context) => void> {
  refuseUnsigned(name, before, after);
  const asked = new Set<string>();
  for (const question of weakeningQuestions(name, before, after)) {
    await askConsent(call, question);
    asked.add(question.question);
  }
  return (now, then) => {
    refuseUnsigned(name, now, then);
    if (weakeningQuestions(name, now, then).every(({ question }) => asked.has(question))) return;
    throw new RelayctlError("conflict", `context ${name} was changed by another program; nothing was changed`);
  };
}

/** Approvers must sign every loosening, where a protected context needs a yes. @throws RelayctlError declined */
function refuseUnsigned(name: string, before: Context | undefined, after: Context): void {
  const guarded = before && { ...before, protected: true };
  const then = before?.protected ? after : { ...after, protected: true };
  requireSigned(name, before, after, weakeningQuestions(name, guarded, then).length > 0);
}

function weakeningQuestions(name: string, before: Context | undefined, after: Context): ConsentQuestion[] {
  if (!before?.read_only || after.read_only) return protectedWeakenings(name, before, after);
  const question = `Allow writes in read-only context ${name} (${shownOrigin(before.server)})?`;
  return [{ question, act: "leaving read-only mode", sort: "yes" }, ...protectedWeakenings(name, before, after)];
}

function protectedWeakenings(name: string, before: Context | undefined, after: Context): ConsentQuestion[] {
  if (!before?.protected) return [];
  const from = shownOrigin(before.server);
  if (!after.protected) {
    const question = `Remove the protection of context ${name} (${from})?`;
    return [{ question, act: "removing a protection", sort: "yes" }];
  }
  return [...moveQuestions(name, from, shownOrigin(after.server)), ...looserRules(name, before, after)];
}

function moveQuestions(name: string, from: string, to: string): ConsentQuestion[] {
  if (from === to) return [];
  const question = `Move protected context ${name} from ${from} to ${to} and forget its token?`;
  return [{ question, act: "moving a protected context", sort: "yes" }];
}

function looserRules(name: string, before: Context, after: Context): ConsentQuestion[] {
  const rules: readonly [boolean, string][] = [
    [before.require_reason === true && after.require_reason !== true, "requiring a reason"],
    [before.journal === "required" && after.journal !== "required", "requiring the journal"],
  ];
  const stopped = rules
    .filter(([isLoosened]) => isLoosened)
    .map(([, rule]) => ({
      question: `Stop ${rule} for each write in protected context ${name}?`,
      act: "loosening a protected context",
      sort: "yes" as const,
    }));
  const limits = looserLimitAmounts(before, after);
  if (limits.length === 0) return stopped;
  const question = `Loosen the limits of protected context ${name}: ${limits.join("; ")}?`;
  return [...stopped, { question, act: "loosening a protected context", sort: "yes" }];
}
