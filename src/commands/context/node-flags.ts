import { type NodeUrls, parseNodeUrl } from "../../config/nodes.ts";
import { validated } from "../../config/sourced.ts";
import type { Problem } from "../../errors.ts";
import { hideUrl } from "../../session/hide-secrets.ts";
import { readText } from "../../session/input-file.ts";
import type { Call } from "../command.ts";
import type { CommandSyntax, ParsedFlags } from "../flags/syntax.ts";

export function defineNodeFlags(command: CommandSyntax) {
  return command
    .option(
      "--node <network=url>",
      "Read the chain of a network from this node; `-` as the URL reads it from stdin (repeatable)",
      "values",
    )
    .option("--unset-node <network>", "Read the chain of a network through its relayers again (repeatable)", "values");
}

/** URLs of nodes to set by the name of their network; null removes one. */
export type NodeChange = Readonly<Record<string, string | null>>;

const NETWORK = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Reads the flags for nodes; undefined if there are none. A URL may contain a key, so that no problem quotes it. */
export async function nodeChange(
  { app, flags }: Pick<Call<ParsedFlags<typeof defineNodeFlags>>, "app" | "flags">,
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
  const value = typed === "-" ? (await readText(app, "-")).trim() : typed;
  const url = validated({ value, from: `--node ${network}` }, parseNodeUrl, problems)?.value ?? null;
  if (url !== null) hideUrl(app, url);
  return url;
}

const NEEDED: Readonly<Record<string, string>> = {
  "--node": "must be the name of a network, =, and a URL, e.g. mainnet=https://rpc.example.org",
  "--unset-node": "must be the name of a network, e.g. mainnet",
};

export function changedNodes(before: NodeUrls = {}, change: NodeChange = {}): Record<string, string> | undefined {
  const all = { ...before, ...change };
  const kept = Object.entries(all).flatMap(([network, url]) => (url === null ? [] : [[network, url] as const]));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
