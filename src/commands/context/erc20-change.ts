import type { Erc20Token, Erc20Tokens } from "../../config/config.ts";
import { type RelayctlError, usageError } from "../../errors.ts";
import { nearestChoice } from "../../nearest.ts";

export interface NamedToken {
  name: string;
  network: string;
  address: string;
}

export interface Erc20Change {
  add: readonly (NamedToken & { decimals: number })[];
  /** On all networks, unless one is specified. */
  remove: readonly { name: string; network: string | undefined }[];
}

/** @throws RelayctlError usage for an unknown token, and for a name with other decimals on another network */
export function changedErc20(before: Erc20Tokens = {}, change?: Erc20Change): { erc20?: Record<string, Erc20Token> } {
  const tokens = new Map(Object.entries(before));
  for (const removed of change?.remove ?? []) removeToken(tokens, removed, before);
  for (const { name, network } of change?.add ?? []) leaveOut(tokens, name, network);
  for (const added of change?.add ?? []) addToken(tokens, added);
  return tokens.size === 0 ? {} : { erc20: Object.fromEntries(tokens) };
}

function removeToken(
  tokens: Map<string, Erc20Token>,
  { name, network }: Erc20Change["remove"][number],
  before: Erc20Tokens,
): void {
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

function addToken(
  tokens: Map<string, Erc20Token>,
  { name, network, address, decimals }: Erc20Change["add"][number],
): void {
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
  const rule = known.length === 0 ? "this context has no tokens" : `unknown token${nearestChoice([given], known)}`;
  return usageError([{ where: "--unset-erc20", given, rule }]);
}
