import { readId } from "../../command-support/ids.ts";
import { isDryRun } from "../../command-support/shown.ts";
import { STATUSES } from "../../contract/transaction/transaction.ts";
import { type Call, createCommand } from "../command.ts";
import { listView } from "../list-command.ts";
import { defineListFlags, listBounds } from "../list-flags.ts";
import { WATCH_OPTION, watchIntervalFlag } from "../watch/flag.ts";
import { senderArgument } from "./arguments.ts";
import { drawnList, keepListed, NEWEST_OF_EACH, NEWEST_OF_ONE, placeMap, txListRequest } from "./list/drawn-list.ts";
import { createCallField, transactionReadView } from "./record/call-field.ts";

const FLEET_OR_ONE = "Relayer ID (`-` reads one line from stdin; default: every active relayer)";

export const txList = createCommand({
  summary: "List the transactions of a relayer, or of all active ones",
  sends: "read",
  ends: { partial: "some relayers could not be read" },
  examples: [
    "relayctl tx list eth-main-1",
    "relayctl tx list --status submitted --where 'created_at<2026-11-22'",
    "relayctl tx list eth-main-1 --where 'value>0.1eth' --fields id,status,nonce,to,value",
  ],
  resource: transactionReadView,
  args: [{ ...senderArgument, name: "[relayer-id]", description: FLEET_OR_ONE }],
  paginates: true,
  contexts: {},
  readsFirst: isOfFleet,
  description: `List the transactions of a relayer, newest first. Without an ID, list the transactions of every active relayer, grouped by relayer. On a terminal, the list also shows which transactions wait for others, and which have been pending for longer than usual. The service deletes its record of a transaction some hours after the transaction ends. The field \`call\` is what the data calls, in words; it is decoded only if --fields, --where, or --sort uses it. --watch shows the pending transactions and the newest ${NEWEST_OF_ONE} of the relayer (without an ID, ${NEWEST_OF_EACH} of each relayer), unless you select others with --status, --limit, or --page.`,
  define: (command) =>
    command
      .optionsGroup("Transactions")
      .choice("--status <status>", "Show only this status, without transactions being canceled", STATUSES)
      .include(defineListFlags, "nonce=7, value>0.1eth, status_reason~reverted, !sent_at")
      .option(...WATCH_OPTION),
  async prepare(call, problems) {
    const { flags, output } = call;
    const isFleet = isOfFleet(call);
    if (isFleet && flags.page !== undefined) problems.add("--page", "needs a relayer: each relayer has its own pages");
    if (isFleet && output.format === "raw") problems.add("-o", "raw is the response to one request; specify a relayer");
    const relayerId = isFleet ? undefined : await readId(call, problems, "relayer-id", call.args[0]);
    const every = watchIntervalFlag(call, problems);
    return { relayerId, bounds: listBounds(flags, problems, (flags.where ?? flags.status) !== undefined), every };
  },
  run: async (call, { relayerId, bounds, every }) => {
    const { flags } = call;
    if (every !== undefined && !isDryRun(call)) {
      const { watchTransactions } = await import("./list/watch.ts");
      const isChosen = [flags.status, flags.page, flags.perPage, flags.limit].some((flag) => flag !== undefined);
      return await watchTransactions(call, { relayerId, chosen: flags, bounds: isChosen ? bounds : undefined, every });
    }
    if (relayerId === undefined) return await (await import("./list/fleet.ts")).fleetTxList(call, bounds);
    const { pages, resource } = drawnList(call, () => placeMap(call, relayerId), {
      readCall: await createCallField(call),
    });
    return listView(call, bounds, {
      resource,
      request: txListRequest(relayerId, flags),
      inOrder: true,
      pages: (client) => pages(keepListed(flags, client.tx.list(relayerId, bounds, flags.status))),
    });
  },
});

function isOfFleet({ args }: Pick<Call, "args">): boolean {
  return args.length === 0;
}
