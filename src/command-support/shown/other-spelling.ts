import type { ApiRequest } from "../../client/request.ts";
import { respelled } from "../../client/respell.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

/**
 * Names the spelling in which the real service takes a request that is shown in the interface's: sent by relayctl it goes out
 * so after a 400, and whoever pastes it gets the 400 alone.
 */
export function otherSpelling(request: ApiRequest): string[] {
  const [shown, other] = [request.body, respelled(request)];
  return isJsonObject(shown) && isJsonObject(other) ? differences(shown, other, "") : [];
}

function differences(shown: JsonObject, other: JsonObject, path: string): string[] {
  return Object.keys(other).flatMap((key) => {
    const [from, to] = [shown[key], other[key] as JsonValue];
    if (from === to || to === undefined) return [];
    if (isJsonObject(from) && isJsonObject(to)) return differences(from, to, `${path}${key}.`);
    return [`note: services up to v1.8 reject this ${path}${key} and take it as a string: "${to}"`];
  });
}
