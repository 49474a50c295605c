import { jsonBody } from "../body.ts";
import { isUnderWay, transactionsOf } from "../course/nonces.ts";
import type { Handler } from "../handler.ts";
import { listAnswer } from "../paging.ts";
import { patchedRelayer } from "../patch-relayer.ts";
import { relayerBusy, relayerMissing } from "../refusal.ts";
import { shownRelayer } from "../shown-relayer.ts";

/** interface.md, List relayers. */
export const listRelayers: Handler = async ({ query, store }) =>
  store.read(({ relayers }) => listAnswer(relayers, query, shownRelayer));

/** Not in interface.md; service-facts 3.1. */
export const getRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.read(({ relayers }) => {
    const relayer = relayers.get(id);
    if (!relayer) throw relayerMissing(id);
    return { data: shownRelayer(relayer) };
  });

/** interface.md, Update a relayer. A disabled relayer is changed as any other: the interface does not say otherwise. */
export const updateRelayer: Handler = async ({ ids: [id = ""], request, store }) => {
  const body = jsonBody(request);
  return store.change(({ relayers, notifications }) => {
    const relayer = relayers.get(id);
    if (!relayer) throw relayerMissing(id);
    const patched = patchedRelayer(relayer, body, (notification) => notifications.get(notification) !== undefined);
    relayers.put(patched);
    return { data: shownRelayer(patched) };
  });
};

/** service-facts 3.1: what is under way keeps a relayer; what is final stays when it goes. */
export const deleteRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.change((state) => {
    if (!state.relayers.get(id)) throw relayerMissing(id);
    const active = transactionsOf(state, id).filter(isUnderWay);
    if (active.length > 0) throw relayerBusy(id, active.length);
    state.relayers.remove(id);
    return { data: "Relayer deleted successfully" };
  });
