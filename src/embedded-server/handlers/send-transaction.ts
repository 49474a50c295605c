import { type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { transactionSchemas, transactionShapes } from "../../contract/requests.ts";
import { pastProblem } from "../../contract/transaction/past-problem.ts";
import { digitSeed } from "../digits.ts";
import { type Handler, handlerJsonBody, validatedBody } from "../handler.ts";
import { failingLifecycle, newLifecycle } from "../lifecycle/lifecycle.ts";
import { Refusal } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import { evmTransactionFields, stellarTransactionFields } from "../transaction/fields.ts";
import { lookUpActiveRelayer, servedKind } from "../transaction/lookup.ts";
import type { WorkerStyle } from "../worker/follow-change.ts";
import { serverTime } from "../world.ts";

/** Returns an error that only the preparation of an accepted body will find. */
export type FindFlaw = (relayer: Resource, body: JsonValue) => string | undefined;

/** Sends a transaction. The response is `pending`; the rest happens over time (facts 3.4). */
export function sendHandler(
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
        created_at: serverTime(now),
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

/** Returns the time limit: seconds on Stellar, otherwise RFC 3339; an unreadable one is ignored (facts 5.7). */
function untilIn(body: JsonValue): number | undefined {
  const { valid_until: until } = objectIn(body);
  if (typeof until !== "string") return undefined;
  const timestamp = /^[0-9]+$/.test(until) ? Number(until) * 1000 : Date.parse(until);
  return Number.isFinite(timestamp) ? timestamp : undefined;
}

/** Returns the fields of a new transaction from its body, after validating it. @throws Refusal */
export type Accept = (relayer: Resource, body: JsonValue, now: number) => JsonObject;

const acceptByContract: Accept = (relayer, value, now) => {
  const kind = servedKind(relayer);
  const body = validatedBody(transactionShapes[kind], value);
  refuseByRules(kind, body, relayer, now);
  return fieldsOf[kind](relayer, body);
};

export const sendTransaction = sendHandler(acceptByContract);

/** Validates a transaction by itself and its relayer's policy, in the words of facts 5. @throws Refusal */
function refuseByRules(kind: NetworkKind, body: JsonObject, relayer: Resource, now: number): void {
  // Stellar's is validated by the network (facts 5.7).
  const past = kind === "stellar" ? undefined : pastProblem("evm", body.valid_until, now);
  const [first] = [
    ...relayerRules[kind](body, relayer).map(({ rule }) => rule),
    ...(transactionSchemas[kind].safeParse(body).error?.issues.map(({ message }) => message) ?? []),
    ...(past === undefined ? [] : [past]),
  ];
  if (first !== undefined) throw new Refusal(400, first);
}

export const fieldsOf: Record<NetworkKind, (relayer: Resource, body: JsonObject) => JsonObject> = {
  evm: evmTransactionFields,
  solana: (_, { transaction = "", instructions }) => ({ transaction, ...(instructions && { instructions }) }),
  stellar: stellarTransactionFields,
};
