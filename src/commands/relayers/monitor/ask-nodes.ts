import { hexAddress } from "../../../chain/evm/quantity.ts";
import { readNetworkFacts } from "../../../chain/network.ts";
import { readIdentityRefusal } from "../../../chain/node/chain-identity.ts";
import { boundedNode, type ChainNode, type NodeFault, nodeFailure, relayerNode } from "../../../chain/node/node.ts";
import { runAll } from "../../../client/bulk/run-all.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { interruptedError, RelayctlError } from "../../../errors.ts";
import { statusGaps } from "../../../relayer-state/read-status-routes.ts";
import { relayerState } from "../../../relayer-state/state.ts";
import type { Session } from "../../../session/session.ts";
import { createStopwatch } from "../../../session/stopwatch.ts";
import { STATUS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

const AT_ONCE = 8;
const MOST_CALLS = 8;

export interface AskedRelayer {
  relayer: Relayer;
  account: string;
  node: ChainNode;
  client: ReturnType<Session["inBulk"]>;
  now: number;
}

interface AskBounds {
  calls: number;
  /** Milliseconds for all of them, without `--deadline`. */
  timeout: number;
  /** Returns the relayer to ask through, even for an inactive relayer (default: active relayers, through themselves). */
  through?: (relayer: Relayer) => string | undefined;
}

export async function askNodes(
  call: Call,
  session: Session,
  relayers: readonly Relayer[],
  ask: (asked: AskedRelayer) => Promise<NodeFault | undefined>,
  { calls, timeout, through }: AskBounds = { calls: MOST_CALLS, timeout: STATUS_TIMEOUT },
): Promise<ReadonlyMap<string, RelayctlError>> {
  const { clock, interrupt } = call.app;
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(clock, timeout);
  const client = session.inBulk({ retries: 0, remaining });
  const now = clock.now();
  const openOwn = createOwnNodes(session, client);
  const askOne = async (relayer: Relayer): Promise<true> => {
    const account = hexAddress(relayer.address);
    if (account === undefined) return true;
    const asked = through ? through(relayer) : relayer.id;
    const found =
      (await openOwn(relayer.network)) ?? (asked === undefined ? asked : relayerNode(client.relayers, asked));
    const node = found && boundedNode(found, { calls, remaining });
    const fault = node && (await ask({ relayer, account, node, client, now }));
    const failure = fault && nodeFailure(fault);
    if (failure) throw failure;
    return true;
  };
  // A paused or disabled relayer doesn't pass on requests (facts 15.7).
  const isAsked = (relayer: Relayer) => through !== undefined || relayerState(relayer) === "active";
  const asked = relayers.filter((relayer) => relayer.network_type === "evm" && isAsked(relayer));
  const jobs = asked.map((relayer) => ({ id: relayer.id, run: () => askOne(relayer) }));
  const completed = await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  if (interrupt.aborted) throw interruptedError(" while nodes were read");
  return statusGaps(completed, remaining());
}

function createOwnNodes(session: Session, { networks }: AskedRelayer["client"]) {
  const opened = new Map<unknown, Promise<ChainNode | undefined>>();
  const open = async (network: unknown) => {
    const node = await session.ownNode(typeof network === "string" ? network : undefined);
    if (!node) return undefined;
    const { chainId, isUnread } = await readNetworkFacts(networks, network);
    if (isUnread) throw new RelayctlError("server", `the chain ID of network "${network}" could not be read`);
    const fault = chainId === undefined ? undefined : await readIdentityRefusal(node, chainId);
    if (fault) throw nodeFailure(fault) ?? new RelayctlError("server", fault.words);
    return node;
  };
  return (network: unknown) => {
    const opening = opened.get(network) ?? open(network);
    opened.set(network, opening);
    return opening;
  };
}
