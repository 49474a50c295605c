import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { patchedRelayer } from "../patch-relayer.ts";
import { relayerMissing } from "../refusal.ts";
import { shownRelayer } from "../shown-relayer.ts";

/**
 * Updates a relayer (interface 4.2). A disabled relayer can be changed like any other: the interface does not say
 * otherwise.
 */
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
