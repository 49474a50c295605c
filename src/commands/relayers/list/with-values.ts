import type { ListBounds } from "../../../client/pagination/list-pages.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { statusFailure } from "../../../relayer-state/read-status-routes.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import type { ListView, Page } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { withListHints } from "../../list-command.ts";
import { needsLiveValues, relayerListView } from "../live/list-view.ts";
import { type LiveValues, type LiveWanted, noLiveValues, readLiveValues, unknownLiveNotes } from "../live/values.ts";

export async function listWithValues(call: Call, bounds: ListBounds, wanted: LiveWanted): Promise<ListView> {
  const session = await call.session();
  const { client, name, flags } = session;
  let values = noLiveValues();
  const add = async (relayers: readonly Relayer[]) => {
    const ids = relayers.map(({ id }) => id);
    values = joinValues(values, await readLiveValues(call, session, ids, wanted));
  };
  async function* pages(): AsyncGenerator<Page> {
    for await (const { items, total, body, keep } of withListHints(client.relayers.list(bounds), flags)) {
      await add(await listChosenBefore(call, items as readonly Relayer[]));
      yield { items, total, body, ...(keep && { keep }) };
    }
  }
  return {
    kind: "list",
    resource: relayerListView(() => values),
    pages: pages(),
    where: name,
    flags,
    ending: async () => {
      const { statuses, oldest, failures } = values;
      const failure =
        statuses.size + oldest.size === 0 ? statusFailure(failures.keys(), failures, call.app.interrupt) : undefined;
      return { notes: unknownLiveNotes(values), failure };
    },
  };
}

export async function listChosenBefore(
  { output: { where = [], now } }: Call,
  relayers: readonly Relayer[],
): Promise<readonly Relayer[]> {
  const conditions = where.filter((condition) => !needsLiveValues(condition));
  const { where: chosen } = await readSelection({ where: conditions, now }, relayerListView());
  return relayers.filter((relayer) => chosen.every((holds) => holds(relayer)));
}

function joinValues(one: LiveValues, other: LiveValues): LiveValues {
  return {
    statuses: new Map([...one.statuses, ...other.statuses]),
    unknown: new Map([...one.unknown, ...other.unknown]),
    failures: new Map([...one.failures, ...other.failures]),
    hasNoRoute: one.hasNoRoute || other.hasNoRoute,
    oldest: new Map([...one.oldest, ...other.oldest]),
    requests: one.requests + other.requests,
  };
}
