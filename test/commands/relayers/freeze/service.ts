import type { Transport } from "../../../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../../../src/contract/wire.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { evmRecord, many, NOOP, one, relayerRecord } from "../../tx/wire.ts";

interface Contents {
  relayers: readonly object[];
  /** By relayer. */
  transactions?: Readonly<Record<string, readonly object[]>>;
  networks?: readonly { id: string }[];
  /** Responses in place of the service's, by method and path. */
  instead?: Readonly<Record<string, WireReply | ((request: WireRequest) => WireReply | Promise<WireReply>)>>;
}

interface State {
  relayers: Map<string, object>;
  records: Map<string, object>;
  /** The IDs of transactions, by relayer. */
  of: Readonly<Record<string, readonly string[]>>;
  networks: readonly { id: string }[];
}

/** The words of a path after its prefix: `relayers`, its ID, `transactions`, and its ID. */
type Words = readonly [collection: string, id: string, nested: string, nestedId: string];

/** A service whose relayers can be paused, and whose transactions can be canceled as by the real one (facts 5.5). */
export function freezable({ relayers, transactions = {}, networks = [], instead = {} }: Contents): Transport {
  const lists = Object.entries(transactions).map(([id, list]) => [id, list as { id: string }[]] as const);
  const state: State = {
    relayers: new Map((relayers as { id: string }[]).map((each) => [each.id, each])),
    records: new Map(
      lists.flatMap(([relayer_id, list]) =>
        list.map((record) => [record.id, { ...record, ...("from" in record && { relayer_id }) }]),
      ),
    ),
    of: Object.fromEntries(lists.map(([id, list]) => [id, list.map((record) => record.id)])),
    networks,
  };
  return async (request) => {
    const path = (request.target.split("?")[0] ?? "").replace("/api/v1", "");
    const other = instead[`${request.method} ${path}`];
    if (other) return typeof other === "function" ? await other(request) : other;
    const [, collection = "", id = "", nested = "", nestedId = ""] = path.split("/").map(decodeURIComponent);
    const found = HANDLERS[request.method]?.(state, [collection, id, nested, nestedId], request.body ?? "");
    return found ?? reply(404);
  };
}

const HANDLERS: Readonly<Record<string, (state: State, words: Words, body: string) => WireReply | undefined>> = {
  GET({ relayers, records, of, networks }, [collection, id, nested]) {
    if (nested === "transactions") return many((of[id] ?? []).map((each) => records.get(each) ?? {}));
    if (id === "") return many([...relayers.values()]);
    const found = collection === "networks" ? networks.find((each) => each.id === id) : relayers.get(id);
    return found && one(found);
  },
  PATCH({ relayers }, [, id], body) {
    const patched = { ...relayers.get(id), ...JSON.parse(body) };
    relayers.set(id, patched);
    return one(patched);
  },
  DELETE({ records }, [, , , id]) {
    const record: { hash?: unknown } = records.get(id) ?? {};
    const ended = record.hash === null ? { status: "canceled" } : { ...NOOP, is_canceled: true };
    records.set(id, { ...record, ...ended });
    return one(records.get(id) ?? {});
  },
};

export const relayer = (id: string, more: object = {}) => relayerRecord({ id, name: id, network: "mainnet", ...more });
export const submitted = (id: string, more: object = {}) =>
  evmRecord({ id, value: "200000000000000000", created_at: "2026-11-21T01:38:42.687049361+00:00", ...more });
export const unsigned = (id: string, more: object = {}) =>
  submitted(id, { status: "pending", hash: null, nonce: null, sent_at: null, ...more });
