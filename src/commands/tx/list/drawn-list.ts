import type { ApiRequest } from "../../../client/request.ts";
import { coinSymbolsFor, readCoinRelayer, symbolFor } from "../../../coins/coin-symbol.ts";
import { isPositive } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import { operations } from "../../../contract/operations.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import {
  isFinal,
  isPending,
  isTxBeingCanceled,
  type Transaction,
  txStatus,
} from "../../../contract/transaction/transaction.ts";
import type { Page, ResourceView } from "../../../terminal/view.ts";
import { listedTransactions, type PlaceOf } from "../../../views/transaction/list.ts";
import { drawsSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import { type CallReader, withCallField } from "../record/call-field.ts";

export const [NEWEST_OF_ONE, NEWEST_OF_EACH] = [100, 20];

/** The flags that choose among the transactions of a relayer. */
export type Filter = { status?: string | undefined };

export function txListRequest(relayerId: string, { status }: Filter): ApiRequest {
  const query = status === undefined ? {} : { status };
  return { operation: operations["tx.list"], parameters: { relayer_id: relayerId }, query };
}

/** Services before v1.6 ignore the filter. As there, only final states include cancellations in progress (facts 2). */
export async function* keepListed({ status }: Filter, pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  // The items of a page are built on access.
  if (status === undefined) return yield* pages;
  for await (const page of pages) {
    const all = page.items as readonly Transaction[];
    const items = all.filter((item) => txStatus(item) === status && (isFinal(status) || !isTxBeingCanceled(item)));
    // The service's count does not apply to the filtered items.
    if (items.length === page.items.length) yield page;
    else yield { items, total: undefined, body: page.body, keep: (bytes) => page.keep?.(bytes) };
  }
}

/** For data output, it requests nothing and reads no item. @param findPlaces called at the first item that needs it */
export function drawnList(
  call: Call,
  findPlaces: () => Promise<PlaceOf>,
  { isFleet = false, readCall }: { isFleet?: boolean; readCall: CallReader | undefined },
): { resource: ResourceView<Transaction>; pages<T extends Page>(pages: AsyncIterable<T>): AsyncIterable<T> } {
  const { clock, stdout } = call.app;
  let placeOf: PlaceOf | undefined;
  const { resource: listed, add } = listedTransactions({
    placeOf: (transaction) => (placeOf ?? NOWHERE)(transaction),
    now: clock.now(),
    isTerminal: stdout.isTerminal,
    isFleet,
  });
  const resource = withCallField(listed, readCall);
  if (!drawsSymbol(call)) return { resource, pages: (pages) => pages };
  const draw = async (items: readonly JsonObject[]) => {
    add(items as readonly Transaction[]);
    const isPlaced = items.some((item) => isPositive(item.value) || (stdout.isTerminal && isPending(item)));
    if (!placeOf && isPlaced) placeOf = await findPlaces();
  };
  return { resource, pages: (pages) => actBefore(draw, pages) };
}

export const NOWHERE: PlaceOf = () => ({ symbol: undefined, kind: "evm" });

export async function placeMap(call: Call, of: string | readonly Relayer[]): Promise<PlaceOf> {
  const session = await call.session();
  if (typeof of === "string") {
    const relayer = await readCoinRelayer(session, of);
    const place = { symbol: relayer && (await symbolFor(session, relayer)), kind: networkKind(relayer) };
    return () => place;
  }
  const relayers = new Map(of.map((relayer) => [relayer.id, relayer]));
  const symbols = await coinSymbolsFor(session, of);
  return ({ relayer_id: id }) => {
    const relayer = relayers.get(id ?? "");
    return { symbol: symbols.get(relayer?.network ?? ""), kind: networkKind(relayer) };
  };
}

async function* actBefore<T extends Page>(
  act: (items: readonly JsonObject[]) => Promise<void>,
  pages: AsyncIterable<T>,
) {
  for await (const page of pages) {
    await act(page.items);
    yield page;
  }
}
