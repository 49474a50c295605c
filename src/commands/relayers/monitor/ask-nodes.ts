import { addressOf } from "../../../chain/evm/quantity.ts";
import { bounded } from "../../../chain/node/bounded.ts";
import { failureBy } from "../../../chain/node/fault-kind.ts";
import type { ChainNode, NodeFault } from "../../../chain/node/node.ts";
import { relayerNode } from "../../../chain/node/relayer-node.ts";
import { runAll } from "../../../client/bulk/run-all.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { stateOf } from "../../../relayer-state/state.ts";
import type { Session } from "../../../session/session.ts";
import { createStopwatch } from "../../../session/stopwatch.ts";
import { STATUS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

/** The relayers whose nodes are asked at a time. */
const AT_ONCE = 8;
const MOST_CALLS = 7;

export interface AskedRelayer {
  relayer: Relayer;
  account: string;
  node: ChainNode;
  client: ReturnType<Session["inBulk"]>;
  /** When the reads began. */
  now: number;
}

/** Returns the node that is asked about a relayer, if there is one. */
export type NodeFor = (relayer: Relayer, client: AskedRelayer["client"]) => Promise<ChainNode | undefined>;

interface AskBounds {
  /** The most requests about one relayer. */
  calls: number;
  /** Milliseconds for all of them, unless `--deadline` is given. */
  timeout: number;
  /** The node of a relayer, also of one that is not active (default: the user's own, or the relayer's). */
  nodeFor?: NodeFor;
}

/** Returns why nodes of active EVM relayers did not respond, by relayer. @throws RelayctlError interrupted */
export async function askNodes(
  { app: { clock, interrupt } }: Call,
  session: Session,
  relayers: readonly Relayer[],
  ask: (asked: AskedRelayer) => Promise<NodeFault | undefined>,
  { calls, timeout, nodeFor }: AskBounds = { calls: MOST_CALLS, timeout: STATUS_TIMEOUT },
): Promise<ReadonlyMap<string, RelayctlError>> {
  const failures = new Map<string, RelayctlError>();
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(clock, timeout);
  const client = session.inBulk({ retries: 0, remaining });
  const now = clock.now();
  const usual: NodeFor = async ({ id, network }) =>
    (await session.ownNode(typeof network === "string" ? network : undefined)) ?? relayerNode(client.relayers, id);
  const askOne = async (relayer: Relayer) => {
    const account = addressOf(relayer.address);
    if (account === undefined) return;
    const found = await (nodeFor ?? usual)(relayer, client);
    if (!found) return;
    const node = bounded(found, { calls, remaining });
    const fault = await ask({ relayer, account, node, client, now });
    const failure = fault && failureBy(fault);
    if (failure) failures.set(relayer.id, failure);
  };
  // A relayer that is paused or disabled does not pass on requests (facts 15.7).
  const isAsked = (relayer: Relayer) => nodeFor !== undefined || stateOf(relayer) === "active";
  const asked = relayers.filter((relayer) => relayer.network_type === "evm" && isAsked(relayer));
  const jobs = asked.map((relayer) => ({ id: relayer.id, run: async () => await askOne(relayer) }));
  await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted while nodes were read");
  return failures;
}
