import type { JsonObject } from "../../contract/json.ts";
import { jsonBody } from "../body.ts";
import { newCourse } from "../course/course.ts";
import type { Handler } from "../handler.ts";
import { momentText } from "../moment.ts";
import type { Resource } from "../state/collection.ts";
import { type Accept, acceptByContract } from "../transaction/accepted.ts";
import { activeRelayer } from "../transaction/lookup.ts";

/** service-facts 3.4: answered at once as `pending`; what follows is a matter of time. */
export function sendingBy(accept: Accept): Handler {
  return async ({ ids: [relayerId = ""], request, store, random, now }) => {
    const body = jsonBody(request);
    return store.change((state) => {
      const relayer = activeRelayer(state, relayerId);
      const created = pending(random.uuid(), relayer, now, accept(relayer, body, now));
      state.transactions.put(created);
      state.courses.set(created.id, newCourse(created.id, now));
      return { data: created };
    });
  };
}

export const sendTransaction = sendingBy(acceptByContract);

function pending(id: string, relayer: Resource, now: number, members: JsonObject): Resource {
  return {
    id,
    relayer_id: relayer.id,
    status: "pending",
    status_reason: null,
    created_at: momentText(now),
    sent_at: null,
    confirmed_at: null,
    hash: null,
    ...members,
  };
}
