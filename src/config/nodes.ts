import { percentDecoded } from "../contract/encoding/percent.ts";
import { maskRpcUrl } from "../contract/rpc-url.ts";
import { type Problem, usageError } from "../errors.ts";
import { type Environment, readEnv } from "./environment.ts";
import { parseSourced, RuleError, type Sourced } from "./sourced.ts";

/** The variables with the URLs of nodes: this, and the name of a network. */
export const NODE_VARIABLE = "RELAYCTL_NODE_";

/** URLs of nodes by the name of their network. They may contain a provider's key. */
export type NodeUrls = Readonly<Record<string, string>>;

/** Returns the variable with the URL of a network's node: `RELAYCTL_NODE_ARBITRUM_ONE` for `arbitrum-one`. */
export function nodeVariable(network: string): string {
  return NODE_VARIABLE + network.toUpperCase().replaceAll("-", "_");
}

/** Parses the URL of a node. @throws RuleError that never quotes the URL, which may contain a key */
export function parseNodeUrl(text: string): string {
  if (text === "") throw new RuleError("is empty");
  if (!/^https?:\/\//i.test(text)) throw new RuleError("must begin with https:// or http://");
  if (/[\s\\#]/.test(text) || !URL.canParse(text) || percentDecoded(text) === undefined)
    throw new RuleError("is not a valid URL");
  return new URL(text).href;
}

export function hasNodes(env: Environment, stored: NodeUrls): boolean {
  return Object.keys(stored).length > 0 || Object.keys(env).some((name) => name.startsWith(NODE_VARIABLE) && env[name]);
}

/** Returns the URL of a network's node, from its variable or the context. @throws RelayctlError usage */
export function nodeUrlFor(network: string, env: Environment, stored: NodeUrls): string | undefined {
  const name = nodeVariable(network);
  const value = readEnv(env, name);
  const found: Sourced<string> | undefined = value === undefined ? fromContext(network, stored) : { value, from: name };
  const problems: Problem[] = [];
  const url = parseSourced(found, parseNodeUrl, problems);
  if (problems.length > 0) throw usageError(problems);
  return url?.value;
}

function fromContext(network: string, stored: NodeUrls): Sourced<string> | undefined {
  const value = Object.hasOwn(stored, network) ? stored[network] : undefined;
  return value === undefined ? undefined : { value, from: `nodes.${network} of the context` };
}

/** A node for display. A type, not an interface, so that the compiler accepts it as JSON. */
export type ShownNode = {
  /** The network's name; a variable's in lowercase, with dashes. */
  network: string;
  url: string;
  /** `RELAYCTL_NODE_MAINNET`, `context`. */
  from: string;
};

export function shownNodes(env: Environment, stored: NodeUrls): ShownNode[] {
  const names = Object.keys(env).filter((name) => name.startsWith(NODE_VARIABLE) && env[name]);
  const typed = names.map((name) => {
    const network = name.slice(NODE_VARIABLE.length).toLowerCase().replaceAll("_", "-");
    return { network, url: maskRpcUrl(env[name] ?? ""), from: name };
  });
  const kept = Object.entries(stored).filter(([network]) => !names.includes(nodeVariable(network)));
  const all = [...typed, ...kept.map(([network, url]) => ({ network, url: maskRpcUrl(url), from: "the context" }))];
  return all.sort((one, other) => (one.network < other.network ? -1 : 1));
}
