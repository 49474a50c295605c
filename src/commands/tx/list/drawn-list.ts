import { isShownInCoin } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Page, ResourceView } from "../../../terminal/view.ts";
import { drawsAmounts } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { type CallReader, withCalls } from "../record/call-field.ts";
import { listedTransactions } from "../record/list-view.ts";

/** Returns the symbol of the coin of a transaction's network. */
export type SymbolOf = (transaction: Transaction) => string | undefined;

/** How a list of transactions is drawn, and its pages once what drawing needs is known. */
export interface DrawnList {
  resource: ResourceView<Transaction>;
  pages<T extends Page>(pages: AsyncIterable<T>): AsyncIterable<T>;
}

/**
 * Returns how to draw a list of transactions. Data output requests nothing for it, and looks at no item.
 * @param findSymbols finds the coins, which is done at the first amount that is shown in its coin
 * @param readCall what `callReader` returns
 */
export function drawnList(
  call: Call,
  findSymbols: () => Promise<SymbolOf>,
  { isFleet = false, readCall }: { isFleet?: boolean; readCall: CallReader | undefined },
): DrawnList {
  const { clock, stdout } = call.app;
  let symbolOf: SymbolOf | undefined;
  const { resource: listed, add } = listedTransactions({
    symbolOf: (transaction) => symbolOf?.(transaction),
    now: clock.now(),
    isTerminal: stdout.isTerminal,
    isFleet,
  });
  const resource = withCalls(listed, readCall);
  if (!drawsAmounts(call)) return { resource, pages: (pages) => pages };
  const draw = async (items: readonly JsonObject[]) => {
    add(items as readonly Transaction[]);
    if (!symbolOf && items.some(({ value }) => isShownInCoin(value))) symbolOf = await findSymbols();
  };
  return { resource, pages: (pages) => before(draw, pages) };
}

/** Yields the pages, and runs an action before each. */
async function* before<T extends Page>(
  act: (items: readonly JsonObject[]) => Promise<void>,
  pages: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const page of pages) {
    await act(page.items);
    yield page;
  }
}
