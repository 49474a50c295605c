import { FOLLOW_DEADLINE } from "../../timing.ts";
import type { ChainNode } from "../node/node.ts";
import { followTransactions } from "./follow.ts";
import type { FollowRequest } from "./follow-request.ts";
import type { Goal, Standing } from "./followed.ts";

export interface WaitOptions extends Partial<Goal> {
  /** Whether the chain is asked (default); otherwise only the records count. */
  chain?: boolean;
  /** The URL of a node to ask in place of the relayer's. */
  node?: string;
  /** Milliseconds after which transactions in progress end as `pending` (default: 10 minutes). */
  deadline?: number;
}

export function waitClientPlan({ until = "confirmed", confirmations, chain = true }: WaitOptions): {
  goal: Goal;
  usesChain: boolean;
} {
  return { goal: { until, confirmations }, usesChain: chain };
}

export interface WaitClient {
  /**
   * Follows transactions of a relayer, and yields where all of them stand after each round of reads, in the order of
   * the IDs, until each has an `end`. Temporary failures are read again.
   * @throws RelayctlError not_found, auth, interrupted; and the last failure if a record was never read
   */
  wait(relayerId: string, ids: readonly string[], options?: WaitOptions): AsyncIterable<readonly Standing[]>;
}

/** What waiting needs: a client without retries for a time limit, and the node at a URL. */
export interface WaitNeeds extends Pick<FollowRequest, "clock" | "interrupt"> {
  clientFor(remaining: () => number): FollowRequest["client"];
  nodeAt(url: string): ChainNode;
}

export function waitClient({ clientFor, nodeAt, clock, interrupt }: WaitNeeds): WaitClient {
  return {
    wait(relayerId, ids, options = {}) {
      const { node: url, deadline = FOLLOW_DEADLINE } = options;
      const own = url === undefined ? undefined : nodeAt(url);
      const end = clock.elapsed() + deadline;
      const remaining = () => end - clock.elapsed();
      return followTransactions({
        client: clientFor(remaining),
        targets: ids.map((id) => ({ relayerId, id })),
        ...waitClientPlan(options),
        ...(own && { ownNode: async () => own }),
        clock,
        interrupt,
        remaining,
      });
    },
  };
}
