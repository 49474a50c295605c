import { readErc20Decimals, readErc20Symbol } from "../../chain/evm/erc20.ts";
import { readNetworkFacts } from "../../chain/network.ts";
import { nodeWithChainIdentity } from "../../chain/node/chain-identity.ts";
import { type ChainNode, type NodeFault, nodeFailure, nodeWithFallback, relayerNode } from "../../chain/node/node.ts";
import { collectItems } from "../../client/pagination/collect.ts";
import { askConsentQuestion, checkConsent } from "../../command-support/consent/consent.ts";
import type { Erc20Tokens } from "../../config/config.ts";
import { isCoinUnit } from "../../contract/amount.ts";
import { pluralize } from "../../contract/decimal.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { type Problem, type RelayctlError, usageError } from "../../errors.ts";
import { nearestChoice } from "../../nearest.ts";
import { relayerState } from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import { escapeText } from "../../terminal/escape.ts";
import { NODE_TIMEOUT } from "../../timing.ts";
import type { Call } from "../command.ts";
import type { NodeChange } from "./change.ts";
import { changedErc20, type Erc20Change, type NamedToken } from "./erc20-change.ts";
import type { TypedErc20 } from "./erc20-flags.ts";

/** Asks if each token's decimals and symbol are right; a contract may use any name. @throws declined; usage */
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
  const relayers = await collectItems<Relayer>(session.client.relayers.list());
  refuseUnknownNetworks(add, relayers);
  const read: Erc20Change["add"][number][] = [];
  const lines: string[] = [];
  for (const token of add) {
    const node = await openNode(session, token.network, { relayers, url: nodes[token.network] ?? undefined });
    const decimals = await readErc20Decimals(node, token.address);
    if ("fault" in decimals) throw unreadToken(token, decimals.fault);
    const symbol = await readErc20Symbol(node, token.address);
    if ("fault" in symbol) throw unreadToken(token, symbol.fault);
    lines.push(...tokenLines(token, decimals.value, symbol.value));
    read.push({ ...token, decimals: decimals.value });
  }
  changedErc20(before, { add: read, remove });
  if (consent === "to ask") await session.pausing(askConsentQuestion(call, question, lines));
  else for (const line of lines) await call.say(line);
  return { add: read, remove };
}

function refuseUnknownNetworks(add: TypedErc20["add"], relayers: readonly Relayer[]): void {
  const known = new Set(relayers.flatMap(({ network_type: kind, network }) => (kind === "evm" && network) || []));
  const problems = add
    .filter(({ network }) => !known.has(network))
    .map(({ name, network, address }): Problem => {
      const rule = `no EVM relayer is on network "${network}"${nearestChoice([network], [...known].map(String).sort())}`;
      return { where: "--erc20", given: `${name}=${network}:${address}`, rule };
    });
  if (problems.length > 0) throw usageError(problems);
}

const MOST_ASKED = 3;

async function openNode(
  session: Session,
  network: string,
  { relayers, url }: { relayers: readonly Relayer[]; url: string | undefined },
): Promise<ChainNode> {
  const own = await session.ownNode(network, { url, timeout: NODE_TIMEOUT });
  if (own) {
    const { chainId } = await readNetworkFacts(session.client.networks, network);
    return chainId === undefined ? own : nodeWithChainIdentity(own, chainId);
  }
  const isAsked = (each: Relayer) =>
    each.network_type === "evm" && each.network === network && relayerState(each) === "active";
  const [first, ...others] = relayers
    .filter(isAsked)
    .slice(0, MOST_ASKED)
    .map(({ id }) => relayerNode(session.briefly(NODE_TIMEOUT).relayers, id));
  if (first) return nodeWithFallback(first, async () => others);
  throw usageError([{ where: "--erc20", rule: `no active relayer of ${network} passes on requests; add --node` }]);
}

function unreadToken({ name, network, address }: NamedToken, fault: NodeFault): RelayctlError {
  // With a cause, the response itself could not be read, and says nothing of the contract.
  const isOdd = fault.kind === "reverted" || (fault.kind === "unreadable" && !fault.cause);
  const failure = isOdd ? undefined : nodeFailure(fault);
  if (failure) return failure.with({ because: [`${name}=${network}:${address} was not added`] });
  const rule = `is not an ERC-20 token on ${network}: ${fault.words}`;
  return usageError([{ where: "--erc20", given: `${name}=${network}:${address}`, rule }]);
}

const MOST_SHOWN = 24;

function tokenLines({ name, network, address }: NamedToken, decimals: number, symbol: string | undefined): string[] {
  const characters = [...(symbol ?? "")];
  const plain = characters.slice(0, MOST_SHOWN).map(plainCharacter).join("");
  const cut = characters.length > MOST_SHOWN ? `… (${pluralize(characters.length, "character")})` : "";
  const called = symbol === undefined ? "it has no symbol" : `it calls itself "${plain}"${cut}`;
  return [
    `${name} on ${network}: ${address}, ${pluralize(decimals, "decimal")}; ${called}`,
    ...(isCoinUnit((symbol ?? "").trim())
      ? [`"${plain}" is also the name of a coin; this token is not that coin`]
      : []),
  ].map(escapeText);
}

function plainCharacter(character: string): string {
  return /^[\x20-\x7e]$/.test(character) && !/["\\]/.test(character)
    ? character
    : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
