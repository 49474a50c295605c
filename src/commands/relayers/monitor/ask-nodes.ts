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

/** Returns why nodes of active EVM relayers did not respond, by relayer. @throws RelayctlError interrupted */
export async function askNodes(
  { app: { clock, interrupt } }: Call,
  session: Session,
  relayers: readonly Relayer[],
  ask: (asked: AskedRelayer) => Promise<NodeFault | undefined>,
  { calls, timeout } = { calls: MOST_CALLS, timeout: STATUS_TIMEOUT },
): Promise<ReadonlyMap<string, RelayctlError>> {
  const failures = new Map<string, RelayctlError>();
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(clock, timeout);
  const client = session.inBulk({ retries: 0, remaining });
  const now = clock.now();
  const askOne = async (relayer: Relayer) => {
    const account = addressOf(relayer.address);
    if (account === undefined) return;
    const own = await session.ownNode(typeof relayer.network === "string" ? relayer.network : undefined);
    const node = bounded(own ?? relayerNode(client.relayers, relayer.id), { calls, remaining });
    const fault = await ask({ relayer, account, node, client, now });
    const failure = fault && failureBy(fault);
    if (failure) failures.set(relayer.id, failure);
  };
  // A relayer that is paused or disabled does not pass on requests (facts 15.7).
  const asked = relayers.filter((relayer) => relayer.network_type === "evm" && stateOf(relayer) === "active");
  const jobs = asked.map((relayer) => ({ id: relayer.id, run: async () => await askOne(relayer) }));
  await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted while nodes were read");
  return failures;
}
