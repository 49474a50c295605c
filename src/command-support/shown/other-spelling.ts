import type { ApiRequest } from "../../client/request.ts";
import { respellRequest } from "../../client/respell.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

/** Returns the real service's spelling of a request: after a 400, relayctl sends it, but a pasted command can't. */
export function otherSpelling(request: ApiRequest): string[] {
  const [shown, other] = [request.body, respellRequest(request)];
  return isJsonObject(shown) && isJsonObject(other) ? spellingDifferences(shown, other, "") : [];
}

function spellingDifferences(shown: JsonObject, other: JsonObject, path: string): string[] {
  return Object.keys(other).flatMap((key) => {
    const [from, to] = [shown[key], other[key] as JsonValue];
    if (from === to || to === undefined) return [];
    if (isJsonObject(from) && isJsonObject(to)) return spellingDifferences(from, to, `${path}${key}.`);
    return [`services up to v1.8 reject this ${path}${key} and take it as a string: "${to}"`];
  });
}
