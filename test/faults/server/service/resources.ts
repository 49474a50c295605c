import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/contract/json.ts";
import type { Method } from "../../../../src/contract/wire.ts";
import { NETWORK } from "./chain.ts";
import { answering, type Considered, saving } from "./considered.ts";
import type { Serving } from "./service.ts";
import { ADDRESS, MAX_U64, type State } from "./state.ts";

export type Noun = Exclude<keyof State, "transactions" | "replaced" | "chain">;

/** What a write makes of a resource: of its body, and of what was there. */
const CHANGES: Readonly<Record<Noun, (body: JsonObject, before: JsonObject) => JsonObject>> = {
  // A merge patch (facts 4.5).
  relayers: (body, before) =>
    before.id === undefined ? { ...body, address: ADDRESS, system_disabled: false } : merged(before, body),
  // Interface 4.6: an absent or null key keeps it, "" removes it, any other text sets it.
  notifications: ({ url, signing_key: key }, before) => {
    const has_signing_key = typeof key === "string" ? key !== "" : before.has_signing_key === true;
    return { type: "webhook", url: url ?? before.url ?? "", has_signing_key };
  },
  // Facts 8.1: a plain signer comes back as a local one, without its key.
  signers: ({ type = "", config }) => {
    const { key: _, ...shown } = isJsonObject(config) ? config : {};
    return { type: type === "plain" ? "local" : type, config: shown };
  },
  // Facts 8.2.
  networks: ({ rpc_urls: urls }, before) => {
    const entries = Array.isArray(urls) ? urls : [];
    return { ...before, rpc_urls: entries.map((entry) => ({ weight: 100, ...(entry as JsonObject) })) };
  },
  // Facts 8.3: the timeout is in seconds here, and an object in the response.
  plugins: ({ timeout, ...rest }, before) => ({
    ...{ ...before, ...rest },
    ...(timeout !== undefined && { timeout: { secs: timeout, nanos: 0 } }),
  }),
};

export function considerResource(
  noun: Noun,
  { method, id, body }: { method: Method; id: string; body: JsonObject },
  { state, dialect, routes }: Serving,
): Considered {
  const things = state[noun];
  const before = things.get(id);
  const save = (key: string, status?: number) =>
    saving(things, key, () => ({ id: key, ...CHANGES[noun](body, before ?? {}) }), dialect, status);
  if (method === "POST") {
    const key = typeof body.id === "string" ? body.id : "made-by-the-service";
    return things.has(key) ? answering(key, takenReply()) : save(key, 201);
  }
  const thing = before ?? (id === NETWORK.id ? NETWORK : undefined);
  if (method === "GET" && !routes) return answering(id, dialect.noRoute);
  if (!thing) return answering(id, dialect.failure(404, `${id} not found`));
  if (method === "GET") return answering(id, dialect.success(dialect.shown(thing)));
  if (method === "DELETE")
    return { id, apply: () => void things.delete(id), reply: () => dialect.success("deleted successfully") };
  if (dialect.name === "real" && tooLarge(body.policies))
    return answering(id, dialect.failure(400, "Invalid policy: Bad Request: Invalid EVM policy: invalid type"));
  return save(id);

  /** The real service has no conflict (facts 6). */
  function takenReply() {
    return noun === "notifications" && dialect.name === "interface"
      ? dialect.failure(409, "Notification with this ID already exists")
      : dialect.failure(500, "An unknown error occurred");
  }
}

/** A bare number above 2^64 - 1 becomes a float in the real service (facts 4.3). */
function tooLarge(policies: JsonValue | undefined): boolean {
  return (
    isJsonObject(policies) && Object.values(policies).some((value) => typeof value === "bigint" && value > MAX_U64)
  );
}

function merged(target: JsonObject, patch: JsonObject): JsonObject {
  const changed = Object.entries(patch).map(([key, value]) => {
    const before = target[key];
    return [key, isJsonObject(value) && isJsonObject(before) ? merged(before, value) : value];
  });
  const all: JsonObject = { ...target, ...Object.fromEntries(changed) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
