import type { App } from "../app.ts";
import { networkChainIdentity, readChainIdentity } from "../chain/node/chain-identity.ts";
import { type NodeFault, readNodeSiblings, relayerNode } from "../chain/node/node.ts";
import type { Client } from "../client/client.ts";
import { isNetworkKind, type NetworkKind } from "../contract/network-kind.ts";
import { type Network, networkId } from "../contract/resources/network.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { ifReadable, rescue } from "../errors.ts";
import type { Message } from "../message.ts";
import type { Session } from "../session/session.ts";
import { NODE_TIMEOUT } from "../timing.ts";

interface Check {
  client(): Client;
  words: NodeWords;
}

/** Checks a relayer's node after new RPC URLs, in one line, unless interrupted. */
export async function checkRelayerNode(
  app: Pick<App, "clock">,
  session: Session,
  relayer: Relayer,
  count: number,
): Promise<Message[]> {
  return await checkNodes(app, session, count, async ({ client, words }) => {
    const { id, network, network_type: kind, paused, system_disabled: isDisabled } = relayer;
    if (!isNetworkKind(kind)) return words.unchecked(`the kind of ${id} is unknown`);
    if (paused || isDisabled) return words.unchecked(`${id} is ${paused ? "paused" : "disabled"}`);
    const readNetwork = async () => (await client().networks.get(networkId(kind, network), { byRoute: true })).data;
    return await askNode({ client, words }, { id, kind, name: String(network), readNetwork });
  });
}

/** Checks a network's node through an active relayer without RPC URLs (facts 15.7), in one line, if any. */
export async function checkNetworkNode(
  app: Pick<App, "clock">,
  session: Session,
  network: Network,
  count: number,
): Promise<Message[]> {
  return await checkNodes(app, session, count, async ({ client, words }) => {
    const [kind = "", ...rest] = network.id.split(":");
    const name = network.name ?? rest.join(":");
    const none = `no active relayer uses the RPC URLs of ${network.id}`;
    if (!isNetworkKind(kind)) return words.unchecked(none);
    const [id] = await readNodeSiblings(client().relayers, { network: name, kind });
    if (id === undefined) return words.unchecked(none);
    return await askNode({ client, words }, { id, kind, name, readNetwork: async () => network });
  });
}

async function askNode(
  { client, words }: Check,
  { id, kind, name, readNetwork }: { id: string; kind: NetworkKind; name: string; readNetwork(): Promise<Network> },
): Promise<Message> {
  const found = await readChainIdentity(relayerNode(client().relayers, id), kind);
  if ("fault" in found) return faultLine(found.fault, id, words);
  const network = await ifReadable(readNetwork());
  const expected = network && networkChainIdentity(network, kind);
  return expected === undefined || expected === found.value
    ? words.responds(found.value)
    : words.isElsewhere(found.value, `${name} is ${expected}`);
}

/** A failure of the request says nothing about the node, unless the wait for the node failed. */
function faultLine({ kind, words: why, code }: NodeFault, id: string, words: NodeWords): Message {
  if (kind === "refused") return words.unchecked(`${id} is paused or disabled`);
  if (kind === "unreadable") return words.isUnreadable(why);
  if (kind === "unreachable" || (kind === "failed" && code !== undefined)) return words.isSilent(why);
  return words.unchecked(why);
}

/** Makes a check within its time. The write was applied: nothing that fails here may end the command. */
async function checkNodes(
  { clock }: Pick<App, "clock">,
  session: Session,
  count: number,
  make: (check: Check) => Promise<Message>,
): Promise<Message[]> {
  const words = nodeWords(count);
  const end = clock.elapsed() + NODE_TIMEOUT;
  const client = () => session.briefly(Math.max(1, end - clock.elapsed()));
  const found = await rescue(make({ client, words }), ({ failure, message }) =>
    failure === "interrupted" ? [] : words.unchecked(message),
  );
  return [found].flat();
}

type NodeWords = ReturnType<typeof nodeWords>;

function nodeWords(count: number) {
  const node = count === 0 ? "the node of the network" : "the new node";
  // The service chooses one of several nodes for each request, and tries the others if it fails.
  const one = count > 1 ? `one of the ${count} new nodes` : node;
  return {
    responds: (chain: string) => ({ note: `${one} responds, on ${chain}` }),
    isElsewhere: (chain: string, expected: string) => ({ warning: `${one} is on ${chain}, but ${expected}` }),
    isSilent: (why: string) => ({ warning: `${count > 1 ? "the new nodes do" : `${node} does`} not respond: ${why}` }),
    isUnreadable: (why: string) => ({ warning: `${one} does not respond as a node does: ${why}` }),
    unchecked: (why: string) => ({ note: `${count > 1 ? "the new nodes were" : `${node} was`} not checked: ${why}` }),
  };
}
