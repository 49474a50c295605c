import { readSpendSince } from "../../../audit/spend-since.ts";
import { SPEND_WINDOWS, type Spends, type SpendWindow } from "../../../audit/spend-windows.ts";
import { type NetworkFacts, readNetworkFacts } from "../../../chain/network.ts";
import { nodeValue, nodeWithAsk } from "../../../chain/node/node.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Session } from "../../../session/session.ts";
import { SPEND_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { type AskedRelayer, askNodes } from "./ask-nodes.ts";

/** The most requests per relayer: a day of transactions, with receipts. */
const MOST_CALLS = 20_000;

/** Reads what active EVM relayers spent, from every used nonce, no matter who sent. */
export async function readMonitorSpends(
  call: Call,
  session: Session,
  relayers: readonly Relayer[],
  windows: readonly SpendWindow[],
) {
  const spends = new Map<string, Spends>();
  let requests = 0;
  if (windows.length === 0) return { spends, failures: new Map(), notes: [], requests };
  const bounds = { calls: MOST_CALLS, timeout: SPEND_TIMEOUT };
  const networks = new Map<unknown, Promise<NetworkFacts>>();
  const ask = async ({ relayer: { id, network: name }, account, node: asked, client, now }: AskedRelayer) => {
    const node = nodeWithAsk(asked, async (method, params) => {
      requests++;
      return await asked.ask(method, params);
    });
    const reading = networks.get(name) ?? readNetworkFacts(client.networks, name);
    networks.set(name, reading);
    const network = await reading;
    for (const window of windows) {
      const since = now - SPEND_WINDOWS[window];
      // Even a relayer that sends more than can be read must not seem to spend nothing.
      const { value, fee } = nodeValue(await readSpendSince(node, account, { network, since, now, calls: MOST_CALLS }));
      spends.set(id, { ...spends.get(id), [window]: value + fee });
    }
    return undefined;
  };
  const failures = await askNodes(call, session, relayers, ask, bounds);
  const notes = [...failures].map(([id, { message }]) => ({ note: `what ${id} spent is not known: ${message}` }));
  return { spends, failures, notes, requests };
}
