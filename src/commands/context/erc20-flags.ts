import { readErc20Decimals, readErc20Symbol } from "../../chain/evm/erc20.ts";
import { readNetworkFacts } from "../../chain/network.ts";
import { onSameChain } from "../../chain/node/chain-identity.ts";
import { failureBy } from "../../chain/node/fault-kind.ts";
import type { ChainNode, NodeFault } from "../../chain/node/node.ts";
import { relayerNode } from "../../chain/node/relayer-node.ts";
import { firstWilling } from "../../chain/node/siblings.ts";
import { askQuestion, checkConsent } from "../../command-support/consent/consent.ts";
import type { Erc20Token, Erc20Tokens } from "../../config/config.ts";
import { addressProblem } from "../../contract/address.ts";
import { isCoinUnit } from "../../contract/currency.ts";
import { counted } from "../../contract/decimal.ts";
import { erc20NameProblem } from "../../contract/erc20.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { type Problem, type RelayctlError, usageError } from "../../errors.ts";
import { choiceOf } from "../../nearest.ts";
import { stateOf } from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import { visible } from "../../terminal/escape.ts";
import type { Call } from "../command.ts";
import type { CommandSyntax, ParsedFlags } from "../flags/syntax.ts";
import type { NodeChange } from "./node-flags.ts";

export function defineErc20Flags(command: CommandSyntax) {
  return command
    .option(
      "--erc20 <token>",
      "Add an ERC-20 token under a name, e.g. usdc=mainnet:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48; reads its decimals from the contract, and asks (repeatable)",
      "values",
    )
    .option("--unset-erc20 <name>", "Remove a token, on all networks or on one: usdc=mainnet (repeatable)", "values");
}

type Flags = ParsedFlags<typeof defineErc20Flags>;

interface NamedToken {
  name: string;
  network: string;
  address: string;
}

export interface Erc20Change {
  add: readonly (NamedToken & { decimals: number })[];
  /** On all networks, unless one is specified. */
  remove: readonly { name: string; network: string | undefined }[];
}

export interface TypedErc20 {
  add: readonly NamedToken[];
  remove: Erc20Change["remove"];
}

const TOKEN = /^([^=]*)=([A-Za-z0-9][A-Za-z0-9._-]*):(.*)$/s;
const ON = /^([^=]*)(?:=([A-Za-z0-9][A-Za-z0-9._-]*))?$/s;

/** Reads the flags for tokens; undefined if there are none. Sends nothing. */
export function typedErc20(
  { app, common, flags }: Pick<Call<Flags>, "app" | "common" | "flags">,
  problems: Problem[],
): TypedErc20 | undefined {
  const seen = new Set<string>();
  const isNew = (where: string, given: string, key: string) => {
    if (seen.has(key)) problems.push({ where, given, rule: "is specified twice" });
    return seen.size < seen.add(key).size;
  };
  const add = (flags.erc20 ?? []).flatMap((given) => {
    const [, name, network, address] = TOKEN.exec(given) ?? [];
    const token = name === undefined || network === undefined || !address ? undefined : { name, network, address };
    const rule = token ? (erc20NameProblem(token.name) ?? addressProblem(token.address)) : NEEDED;
    if (rule !== undefined) problems.push({ where: "--erc20", given, rule });
    return token && isNew("--erc20", given, `${token.name}=${token.network}`) ? [token] : [];
  });
  const remove = (flags.unsetErc20 ?? []).flatMap((given) => {
    const [, name, network] = ON.exec(given) ?? [];
    if (!name) problems.push({ where: "--unset-erc20", given, rule: "must be the name of a token, e.g. usdc" });
    return name && isNew("--unset-erc20", given, given) ? [{ name, network }] : [];
  });
  const refused = { "--server": common.server, propose: app.captureRules };
  for (const [other, value] of add.length === 0 ? [] : Object.entries(refused))
    if (value !== undefined)
      problems.push({ where: "--erc20", rule: `cannot be combined with ${other}: the token is read in the context` });
  const { proxy, timeout, deadline, retries } = common;
  for (const [flag, value] of add.length > 0 ? [] : Object.entries({ proxy, timeout, deadline, retries }))
    if (value !== undefined) problems.push({ where: `--${flag}`, rule: "applies to --erc20 only" });
  return add.length + remove.length === 0 ? undefined : { add, remove };
}

const NEEDED =
  "must be a name, =, a network, :, and an address, e.g. usdc=mainnet:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

/**
 * Reads the decimals and the symbol of each token, and asks whether these are the ones. The name is the user's: a
 * contract may call itself anything.
 * @throws RelayctlError declined; usage for a network without relayers, and for a contract that is not a token
 */
export async function agreeToErc20(
  call: Call,
  context: string,
  { add, remove }: TypedErc20,
  { before, nodes = {} }: { before: Erc20Tokens | undefined; nodes: NodeChange | undefined },
): Promise<Erc20Change> {
  if (add.length === 0) return { add: [], remove };
  const question = {
    question: `Add ${add.length === 1 ? "this token" : `these ${add.length} tokens`} to context ${context}?`,
    act: "adding a token",
    sort: "yes" as const,
  };
  const consent = checkConsent(call, question);
  const session = await call.inContext(context).session();
  const relayers: Relayer[] = [];
  for await (const { items } of session.client.relayers.list()) relayers.push(...items);
  refuseUnknownNetworks(add, relayers);
  const read: Erc20Change["add"][number][] = [];
  const lines: string[] = [];
  for (const token of add) {
    const node = await nodeOf(session, token.network, { relayers, url: nodes[token.network] ?? undefined });
    const decimals = await readErc20Decimals(node, token.address);
    if ("fault" in decimals) throw unreadToken(token, decimals.fault);
    const symbol = await readErc20Symbol(node, token.address);
    if ("fault" in symbol) throw unreadToken(token, symbol.fault);
    lines.push(...tokenLines(token, decimals.value, symbol.value));
    read.push({ ...token, decimals: decimals.value });
  }
  changedErc20(before, { add: read, remove });
  if (consent === "to ask") await session.pausing(askQuestion(call, question, lines));
  else for (const line of lines) await call.say(line);
  return { add: read, remove };
}

function refuseUnknownNetworks(add: TypedErc20["add"], relayers: readonly Relayer[]): void {
  const known = new Set(relayers.flatMap(({ network_type: kind, network }) => (kind === "evm" && network) || []));
  const problems = add
    .filter(({ network }) => !known.has(network))
    .map(({ name, network, address }): Problem => {
      const rule = `no EVM relayer is on network "${network}"${choiceOf([network], [...known].map(String).sort())}`;
      return { where: "--erc20", given: `${name}=${network}:${address}`, rule };
    });
  if (problems.length > 0) throw usageError(problems);
}

interface Way {
  relayers: readonly Relayer[];
  /** The URL of a node that is typed on the same line. */
  url: string | undefined;
}

const MOST_ASKED = 3;

/** Returns the user's own node if it is on the chain of the network, or the nodes of its active relayers. */
async function nodeOf(session: Session, network: string, { relayers, url }: Way): Promise<ChainNode> {
  const own = await session.ownNode(network, url === undefined ? {} : { url });
  if (own) {
    const { chainId } = await readNetworkFacts(session.client.networks, network);
    return chainId === undefined ? own : onSameChain(own, chainId);
  }
  const isAsked = (each: Relayer) =>
    each.network_type === "evm" && each.network === network && stateOf(each) === "active";
  const [first, ...others] = relayers
    .filter(isAsked)
    .slice(0, MOST_ASKED)
    .map(({ id }) => relayerNode(session.client.relayers, id));
  if (first) return firstWilling(first, async () => others);
  throw usageError([{ where: "--erc20", rule: `no active relayer of ${network} passes on requests; add --node` }]);
}

function unreadToken({ name, network, address }: NamedToken, fault: NodeFault): RelayctlError {
  const failure = fault.kind === "unreadable" || fault.kind === "reverted" ? undefined : failureBy(fault);
  if (failure) return failure.with({ because: [`${name}=${network}:${address} was not added`] });
  const rule = `is not an ERC-20 token on ${network}: ${fault.words}`;
  return usageError([{ where: "--erc20", given: `${name}=${network}:${address}`, rule }]);
}

const MOST_SHOWN = 24;

/** Returns what the user agrees to. A symbol is quoted, cut, and has only plain characters that are no quotes. */
function tokenLines({ name, network, address }: NamedToken, decimals: number, symbol: string | undefined): string[] {
  const characters = [...(symbol ?? "")];
  const plain = characters.slice(0, MOST_SHOWN).map(plainCharacter).join("");
  const cut = characters.length > MOST_SHOWN ? `… (${counted(characters.length, "character")})` : "";
  const called = symbol === undefined ? "it has no symbol" : `it calls itself "${plain}"${cut}`;
  return [
    `${name} on ${network}: ${address}, ${counted(decimals, "decimal")}; ${called}`,
    ...(isCoinUnit((symbol ?? "").trim())
      ? [`"${plain}" is also the name of a coin; this token is not that coin`]
      : []),
  ].map(visible);
}

function plainCharacter(character: string): string {
  return /^[\x20-\x7e]$/.test(character) && !/["\\]/.test(character)
    ? character
    : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** @throws RelayctlError usage for a token that is not there, and for a name with other decimals on another network */
export function changedErc20(before: Erc20Tokens = {}, change?: Erc20Change): { erc20?: Record<string, Erc20Token> } {
  const tokens = new Map(Object.entries(before));
  for (const removed of change?.remove ?? []) remove(tokens, removed, before);
  for (const { name, network } of change?.add ?? []) leaveOut(tokens, name, network);
  for (const added of change?.add ?? []) add(tokens, added);
  return tokens.size === 0 ? {} : { erc20: Object.fromEntries(tokens) };
}

type Removed = Erc20Change["remove"][number];

function remove(tokens: Map<string, Erc20Token>, { name, network }: Removed, before: Erc20Tokens): void {
  const token = tokens.get(name);
  if (!token || (network !== undefined && !Object.hasOwn(token.addresses, network)))
    throw unknownToken(network === undefined ? name : `${name}=${network}`, before);
  leaveOut(tokens, name, network);
}

function leaveOut(tokens: Map<string, Erc20Token>, name: string, network: string | undefined): void {
  const token = tokens.get(name);
  const { [network ?? ""]: _, ...left } = token?.addresses ?? {};
  if (!token || network === undefined || Object.keys(left).length === 0) tokens.delete(name);
  else tokens.set(name, { ...token, addresses: left });
}

function add(tokens: Map<string, Erc20Token>, { name, network, address, decimals }: Erc20Change["add"][number]): void {
  const stored = tokens.get(name);
  if (stored && stored.decimals !== decimals) {
    const [other] = Object.keys(stored.addresses);
    const there = `${name} has ${stored.decimals} decimals on ${other}, and ${decimals} here`;
    const rule = `${there}; use another name, e.g. ${name}-${network}`;
    throw usageError([{ where: "--erc20", given: `${name}=${network}:${address}`, rule }]);
  }
  tokens.set(name, { decimals, addresses: { ...stored?.addresses, [network]: address } });
}

function unknownToken(given: string, before: Erc20Tokens): RelayctlError {
  const known = Object.entries(before).flatMap(([name, { addresses }]) => [
    name,
    ...Object.keys(addresses).map((network) => `${name}=${network}`),
  ]);
  const rule = known.length === 0 ? "this context has no tokens" : `unknown token${choiceOf([given], known)}`;
  return usageError([{ where: "--unset-erc20", given, rule }]);
}
