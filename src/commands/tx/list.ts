import type { ListBounds } from "../../client/pagination/list-pages.ts";
import { readId } from "../../command-support/ids.ts";
import { isShownInCoin } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isBeingCanceled, isFinal, STATUSES, statusOf } from "../../contract/transaction/transaction-state.ts";
import type { Page } from "../../terminal/view.ts";
import { drawnSymbol } from "../coins/symbol-for.ts";
import type { CommandFile } from "../command.ts";
import { choiceOption } from "../flags/choice-option.ts";
import { listView } from "../list-command.ts";
import { defineListFlags, type ListFlags, listBounds } from "../list-flags.ts";
import { senderArgument } from "./arguments.ts";
import { transactionView, transactionViewIn } from "./record/view.ts";

/**
 * Yields the transactions in one state. Services before v1.6 ignore the filter and return all. A state that is not
 * final excludes transactions whose cancellation is in progress, as the service does (facts 2).
 */
async function* withStatus(status: string | undefined, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of pages) {
    const items = status === undefined ? page.items : page.items.filter((item) => isIn(status, item as Transaction));
    // The service's count does not apply to the filtered items.
    if (items.length === page.items.length) yield page;
    else yield { items, total: undefined, body: page.body, keep: (bytes) => page.keep?.(bytes) };
  }
}

function isIn(status: string, transaction: Transaction): boolean {
  return statusOf(transaction) === status && (isFinal(status) || !isBeingCanceled(transaction));
}

interface Flags extends ListFlags {
  status?: string;
}

interface Typed {
  relayerId: string;
  bounds: ListBounds;
}

/** `relayctl tx list <relayer-id>` (facts 2 and 3.4), newest first. */
export const txList: CommandFile<Flags, Typed> = {
  summary: "List a relayer's transactions, newest first",
  sends: "read",
  examples: [
    "relayctl tx list eth-main-1",
    "relayctl tx list eth-main-1 --status submitted --limit 5",
    "relayctl tx list eth-main-1 --where 'value>0.1eth' --fields id,status,nonce,to,value",
  ],
  resource: transactionView,
  args: [senderArgument],
  paginates: true,
  define(command) {
    const words =
      "List the transactions of a relayer, newest first. The service deletes its record of a transaction some hours after the transaction ends.";
    command
      .description(words)
      .optionsGroup("Transactions")
      .addOption(
        choiceOption("--status <status>", "Show only this status, without transactions being canceled", STATUSES),
      );
    defineListFlags(command, "nonce=7, value>0.1eth, status_reason~reverted, !sent_at");
  },
  async prepare(call, problems) {
    const { flags } = call;
    const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
    return { relayerId, bounds: listBounds(flags, problems, (flags.where ?? flags.status) !== undefined) };
  },
  run: (call, { relayerId, bounds }) => {
    const { status } = call.flags;
    const query = status === undefined ? {} : { status };
    let symbol: string | undefined;
    let isKnown = false;
    const drawn = async (items: readonly JsonObject[]) => {
      if (isKnown || !items.some(({ value }) => isShownInCoin(value))) return;
      symbol = await drawnSymbol(call, relayerId);
      isKnown = true;
    };
    return listView(call, bounds, {
      resource: transactionViewIn(() => symbol),
      request: { operation: operations["tx.list"], parameters: { relayer_id: relayerId }, query },
      inOrder: true,
      pages: (client) => before(drawn, withStatus(status, client.tx.list(relayerId, bounds, status))),
    });
  },
};

/** Yields the pages, and runs an action before each. */
async function* before(act: (items: readonly JsonObject[]) => Promise<void>, pages: AsyncIterable<Page>) {
  for await (const page of pages) {
    await act(page.items);
    yield page;
  }
}
