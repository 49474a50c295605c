import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/contract/json.ts";
import { chainResult } from "./chain.ts";
import { type Dialect, json } from "./dialect.ts";
import { refused, saving } from "./outcome.ts";
import type { Considered } from "./service.ts";
import type { State } from "./state.ts";

const MAX_U64 = 2n ** 64n - 1n;

/** interface 4.2; a merge patch (facts 4.5). */
export function updateRelayer(id: string, body: JsonObject, state: State, dialect: Dialect): Considered {
  const relayer = state.relayers.get(id);
  if (!relayer) return refused(id, dialect.failure(404, `Relayer with ID ${id} not found`));
  if (dialect.name === "real" && tooLarge(body.policies)) {
    return refused(
      id,
      dialect.failure(400, "Invalid policy: Bad Request: Invalid EVM policy: invalid type: floating point"),
    );
  }
  return saving(state.relayers, id, () => merged(relayer, body), dialect);
}

/** facts 3.1; an ID in use is 500 there. The interface lacks this operation, and so a message for it. */
export function createRelayer(body: JsonObject, state: State, dialect: Dialect): Considered {
  const id = typeof body.id === "string" ? body.id : "made-by-the-service";
  if (state.relayers.has(id)) return refused(id, dialect.failure(500, "An unknown error occurred"));
  const created = { ...body, id, address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", system_disabled: false };
  return saving(state.relayers, id, () => created, dialect, 201);
}

/** facts 3.3: no envelope. The ledger has what a sending method was given. */
export function jsonRpc(id: string, body: JsonObject, { chain }: State): Considered {
  const response = json(200, { jsonrpc: "2.0", result: chainResult(chain, body), id: body.id ?? 1 });
  const sends = String(body.method).includes("send");
  return { id, reply: () => response, current: () => response, ...(sends && { apply: () => {} }) };
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
