import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { CreateNotificationRequest, Notification, UpdateNotificationRequest } from "../contract/notification.ts";
import type { PathParameters } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import type { Relayer, UpdateRelayerRequest } from "../contract/relayer.ts";
import { type Replacement, TELLING_MEMBER } from "../contract/replacement.ts";
import type { Transaction } from "../contract/transaction.ts";
import { RelayctlError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { find } from "./find.ts";
import type { Link } from "./link.ts";
import { look, NOTIFICATION, RELAYER } from "./look.ts";
import { readOne, readReplyOf } from "./read.ts";
import type { Ask } from "./request.ts";
import { type ListBounds, type ListPage, listPages } from "./walk.ts";
import { write } from "./write.ts";
import type { WriteFacts } from "./write-facts.ts";

/**
 * A relayer service. Every method rejects with a RelayctlError whose `applied` says whether a write took effect, and no
 * write is sent again once its answer could have been lost.
 */
export interface Client {
  relayers: {
    /** Every page, or the one that is named; complete, without duplicates, in the service's order. */
    list(bounds?: ListBounds): AsyncIterable<ListPage>;
    /** By its own route, else from the list. `byRoute` never walks the list. */
    get(id: string, options?: { byRoute?: boolean }): Promise<Answer<Relayer>>;
    update(id: string, patch: UpdateRelayerRequest): Promise<Answer<Relayer>>;
  };
  tx: {
    get(relayerId: string, id: string): Promise<Answer<Transaction>>;
    /** Sent at most once after it may have left. `before` is the transaction as it was. */
    replace(relayerId: string, id: string, body: Replacement, facts?: WriteFacts): Promise<Answer<Transaction>>;
  };
  notifications: {
    list(bounds?: ListBounds): AsyncIterable<ListPage>;
    get(id: string, options?: { byRoute?: boolean }): Promise<Answer<Notification>>;
    /** Without an id the client makes one, so that a lost answer can be settled. */
    create(body: CreateNotificationRequest): Promise<Answer<Notification>>;
    update(id: string, patch: UpdateNotificationRequest): Promise<Answer<Notification>>;
  };
  /** Any request, known to this client or not; its data is not judged, and the body of its reply is as received. */
  request(ask: Ask): Promise<Answer>;
}

export function createClient(link: Link): Client {
  const relayer = (id: string) => ({ relayer_id: id });
  const get = <T extends JsonObject>(lookup: typeof RELAYER, id: string, byRoute = false): Promise<Answer<T>> =>
    byRoute
      ? readOne<T>({ operation: lookup.get, parameters: { [lookup.parameter]: id } }, link)
      : find<T>(lookup, id, link);
  return {
    relayers: {
      list: (bounds = {}) => listPages({ operation: operations["relayers.list"] }, bounds, link),
      get: (id, options) => get(RELAYER, id, options?.byRoute),
      update: (id, patch) => write(ask("relayers.update", relayer(id), patch), link),
    },
    tx: {
      get: (relayerId, id) => readOne(ask("tx.get", { ...relayer(relayerId), transaction_id: id }), link),
      replace: (relayerId, id, body, facts) =>
        write(ask("tx.replace", { ...relayer(relayerId), transaction_id: id }, body), link, facts),
    },
    notifications: {
      list: (bounds = {}) => listPages({ operation: operations["notifications.list"] }, bounds, link),
      get: (id, options) => get(NOTIFICATION, id, options?.byRoute),
      create: (body) => {
        const withId = { ...body, id: body.id ?? link.random.uuid() };
        return write(ask("notifications.create", {}, withId), link, { ownId: body.id === undefined });
      },
      update: (id, patch) => write(ask("notifications.update", { notification_id: id }, patch), link),
    },
    request: async (asked) =>
      asked.operation.kind === "read"
        ? await readAny(asked, link)
        : await write(asked, link, await factsOf(asked, link)),
  };
}

async function readAny(asked: Ask, link: Link): Promise<Answer> {
  const { data, reply } = await readReplyOf(asked, link);
  return { data: data as JsonObject, body: reply.body, unconfirmed: [] };
}

/** The hash from before tells a Stellar replacement that replaced nothing (service-facts 5.4), where it can be read. */
async function factsOf(asked: Ask, link: Link): Promise<WriteFacts> {
  const { operation, body } = asked;
  if (operation.id !== "tx.replace" || !isJsonObject(body) || !(TELLING_MEMBER.stellar in body)) return {};
  try {
    return { before: (await look(asked, link)).data };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return {};
  }
}

function ask(id: keyof typeof operations, parameters: PathParameters = {}, body?: object): Ask {
  return { operation: operations[id], parameters, ...(body && { body: body as JsonObject }) };
}
