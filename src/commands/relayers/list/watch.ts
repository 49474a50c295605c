import { LARGE_PAGE, type ListBounds } from "../../../client/pagination/list-pages.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { withMaskedRpcUrls } from "../../../contract/rpc-url.ts";
import { stateCell, stateRank } from "../../../relayer-state/state.ts";
import { collectById } from "../../../session/collect.ts";
import { onePageView, type View } from "../../../terminal/view.ts";
import { SLOWER_WATCH } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import type { WatchFlag } from "../../watch/flag.ts";
import { runWatch } from "../../watch/run-watch.ts";
import type { WatchReading } from "../../watch/watched.ts";
import { liveValuesNamed, relayerListView } from "../live/list-view.ts";
import { noLiveValues, readLiveValues, WATCH_AT_ONCE } from "../live/values.ts";
import { listChosenBefore } from "./with-values.ts";

export async function watchRelayers(
  call: Call<WatchFlag>,
  { bounds, every }: { bounds: ListBounds; every: number },
): Promise<View> {
  const session = await call.session();
  const { client, name, flags } = session;
  const named = liveValuesNamed(call.output);
  let values = noLiveValues();
  let items: readonly Relayer[] = [];
  const resource = relayerListView(() => values);
  const readSlower = async (): Promise<WatchReading<Relayer>> => {
    const ids = (await listChosenBefore(call, items)).map(({ id }) => id);
    values = await readLiveValues(call, session, ids, { ...named, atOnce: WATCH_AT_ONCE });
    return { items, requests: values.requests };
  };
  return await runWatch<Relayer>(call, {
    session,
    every,
    async read() {
      items = (await collectById<Relayer>(client.relayers.list(bounds))).map(withMaskedRpcUrls);
      return { items, requests: Math.ceil(items.length / LARGE_PAGE) };
    },
    ...((named.status || named.oldest) && {
      slower: { every: Math.max(every, SLOWER_WATCH), isNeeded: true, read: readSlower },
    }),
    view: (shown) => ({ kind: "list", resource, pages: onePageView(shown), where: name, flags }),
    idOf: ({ id }) => id,
    compared: (relayer) => resource.table.map(({ cell }) => cell(relayer).text),
    stateOf: (relayer) => stateCell(relayer).text,
    rankOf: stateRank,
    eventOf: (relayer) => ({ relayer }),
  });
}
