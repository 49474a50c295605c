import { type JsonValue, objectIn } from "../../contract/json.ts";
import { digitSeed } from "../digits.ts";
import { type Handler, handlerJsonBody } from "../handler.ts";
import { failingLifecycle, newLifecycle } from "../lifecycle/lifecycle.ts";
import type { Resource } from "../state/collection.ts";
import { type Accept, acceptByContract } from "../transaction/accepted.ts";
import { lookUpActiveRelayer } from "../transaction/lookup.ts";
import type { WorkerStyle } from "../worker/follow.ts";
import { timestampText } from "../world.ts";

/** Returns an error that only the preparation of an accepted body will find. */
export type FindFlaw = (relayer: Resource, body: JsonValue) => string | undefined;

/** Sends a transaction. The response is `pending`; the rest happens over time (facts 3.4). */
export function sendingTransactionBy(
  accept: Accept,
  flawOf: FindFlaw = () => undefined,
  styleFor: (seed: number) => WorkerStyle = () => ({}),
): Handler {
  return async ({ ids: [relayerId = ""], request, store, random, now }) => {
    const body = handlerJsonBody(request);
    return store.change((state) => {
      const relayer = lookUpActiveRelayer(state, relayerId);
      const created = {
        id: random.uuid(),
        relayer_id: relayer.id,
        status: "pending",
        status_reason: null,
        created_at: timestampText(now),
        sent_at: null,
        confirmed_at: null,
        hash: null,
        ...accept(relayer, body, now),
      };
      state.transactions.put(created);
      const flaw = flawOf(relayer, body);
      const { id } = created;
      const { prepares, notices } = styleFor(digitSeed(id));
      const begun =
        flaw === undefined ? newLifecycle(id, now, untilIn(body), prepares) : failingLifecycle(id, now, flaw);
      state.lifecycles.set(id, { ...begun, ...(notices !== undefined && { notices }) });
      return { data: created };
    });
  };
}

export const sendTransaction = sendingTransactionBy(acceptByContract);

/** Returns the time limit: seconds on Stellar, otherwise RFC 3339; an unreadable one is ignored (facts 5.7). */
function untilIn(body: JsonValue): number | undefined {
  const { valid_until: until } = objectIn(body);
  if (typeof until !== "string") return undefined;
  const timestamp = /^[0-9]+$/.test(until) ? Number(until) * 1000 : Date.parse(until);
  return Number.isFinite(timestamp) ? timestamp : undefined;
}
