import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/contract/json.ts";
import type { Dialect } from "./dialect.ts";
import { refused, saving } from "./outcome.ts";
import type { Considered } from "./service.ts";
import type { State } from "./state.ts";

const MAX_U64 = 2n ** 64n - 1n;

/** interface.md, Update a relayer; a merge patch (service-facts 4.5). */
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

/** A bare number above 2^64 - 1 becomes a float in the real service (service-facts 4.3). */
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
