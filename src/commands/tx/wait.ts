import type { Target } from "../../chain/follow/followed.ts";
import { isDryRun, showRequests } from "../../command-support/shown.ts";
import { operations } from "../../contract/operations.ts";
import type { Problems } from "../../contract/problems.ts";
import { isPending } from "../../contract/transaction/transaction.ts";
import { FOLLOW_DEADLINE } from "../../timing.ts";
import { waitView } from "../../views/transaction/wait.ts";
import { type Call, createCommand } from "../command.ts";
import { sentTransactionsArguments } from "./arguments.ts";
import { pendingTransactions } from "./cancel-pending/pending.ts";
import { defineNotifyFlag, notifyAfter } from "./notifying.ts";
import { defineWaitFlags, type NamedTransactions, waitedTransactions, waitPlan } from "./wait/flags.ts";

/** `relayctl tx wait <relayer-id> [tx-ids...]`: asks the chain too, which knows it before the record does (facts 15.8). */
export const txWait = createCommand({
  summary: "Wait until transactions are confirmed on the chain",
  sends: "read",
  ends: {
    ok: "confirmed, or what --for asks for; or nothing is pending",
    unmet: "ended otherwise, or will never be sent",
    mismatch: "a different version was mined than the record shows",
    pending: "still in progress when the time ran out",
  },
  examples: [
    "relayctl tx wait eth-main-1 0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60",
    "relayctl tx wait base-hot --pending --for mined --deadline 2m",
    "relayctl tx wait - --confirmations 12 -o json",
  ],
  resource: waitView,
  args: sentTransactionsArguments({ unless: ["pending"] }),
  waits: true,
  description: `Wait until transactions are confirmed, at most ${FOLLOW_DEADLINE / 60_000} minutes or --deadline. The chain is asked through the relayer's node, since a record can be late or wrong: the wait for a transaction ends as soon as the chain shows its outcome. A failed read is repeated. On a terminal, the wait is shown live; a pipe gets one JSON object for each change.`,
  define: (command) =>
    command
      .optionsGroup("Wait")
      .option("--pending", "Wait for all of the relayer's pending transactions")
      .include(defineWaitFlags)
      .include(defineNotifyFlag),
  prepare: async (call, problems: Problems) => ({
    named: await waitedTransactions(call, problems),
    plan: waitPlan(call, problems),
  }),
  run: async (call, { named, plan }) => {
    if (isDryRun(call)) return await showRequests(call, shownAsks(named));
    const targets = "targets" in named ? named.targets : await readPending(call, named.pendingOf);
    if (targets.length === 0) return { kind: "nothing" };
    const { waitEndingView, chooseWaitForm, waitFor } = await import("./wait/wait-for.ts");
    const session = await call.session();
    const wait = async () =>
      waitEndingView(session, await waitFor(call, { targets, plan, wrote: false }), chooseWaitForm(call));
    return await notifyAfter(call, "tx wait", wait);
  },
});

function shownAsks(named: NamedTransactions) {
  if ("pendingOf" in named)
    return [{ operation: operations["tx.list"], parameters: { relayer_id: named.pendingOf }, query: { page: "1" } }];
  return named.targets.map(({ relayerId, id }) => ({
    operation: operations["tx.get"],
    parameters: { relayer_id: relayerId, transaction_id: id },
  }));
}

async function readPending(call: Call, relayerId: string): Promise<Target[]> {
  const session = await call.session();
  const found = await pendingTransactions(session.client, relayerId, isPending);
  if (found.length === 0) await call.say(`nothing is pending on ${relayerId} in ${session.name}`);
  return found.map((record) => ({ relayerId, id: record.id, records: [record] }));
}
