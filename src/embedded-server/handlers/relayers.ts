import { isPending } from "../../contract/transaction/transaction-state.ts";
import type { Handler } from "../handler.ts";
import { transactionsOf } from "../lifecycle/nonces.ts";
import { listReply } from "../paging.ts";
import { relayerBusy, relayerMissing } from "../refusal.ts";
import { shownRelayer } from "../shown-relayer.ts";

/** Lists relayers (interface 4.1). */
export const listRelayers: Handler = async ({ query, store, memo }) =>
  store.read(({ relayers }) => listReply(relayers, query, (relayer) => memo(shownRelayer, relayer)));

/** Reads a relayer. Not in the interface; facts 3.1. */
export const getRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.read(({ relayers }) => {
    const relayer = relayers.get(id);
    if (!relayer) throw relayerMissing(id);
    return { data: shownRelayer(relayer) };
  });

/** Deletes a relayer unless it has pending transactions; final ones stay (facts 3.1). */
export const deleteRelayer: Handler = async ({ ids: [id = ""], store }) =>
  store.change((state) => {
    if (!state.relayers.get(id)) throw relayerMissing(id);
    const active = transactionsOf(state, id).filter(isPending);
    if (active.length > 0) throw relayerBusy(id, active.length);
    state.relayers.remove(id);
    return { data: "Relayer deleted successfully" };
  });
