import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { replacedMissing } from "../refusal.ts";
import { changesFrom } from "../replacement/changes.ts";
import { update } from "../state/state.ts";
import { kindOf, refuseFinal, refuseIdle } from "../transaction/lookup.ts";
import { followReplacement, withdrawnCancellation } from "../worker/follow.ts";

/** Replaces a transaction (interface 4.3). The checks come in the order of facts 5.4. */
export const replaceTransaction: Handler = async ({ ids: [relayerId = "", id = ""], request, store, now }) => {
  const body = jsonBody(request);
  return store.change((state) => {
    const relayer = state.relayers.get(relayerId);
    if (!relayer) throw replacedMissing();
    refuseIdle(relayer);
    const changes = changesFrom[kindOf(relayer)](body);
    const old = state.transactions.get(id);
    if (old?.relayer_id !== relayerId) throw replacedMissing();
    refuseFinal(old, "replace");
    state.hashes += 1;
    const replaced = { ...old, ...changes(old, state.hashes), ...withdrawnCancellation(old) };
    update(state, replaced, now);
    followReplacement(state, { relayer, old, record: replaced }, now, {});
    return { data: replaced };
  });
};
