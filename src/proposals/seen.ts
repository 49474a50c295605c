import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import { RelayctlError } from "../errors.ts";
import { digestOf } from "./proposal.ts";

/** What a transaction moves stays the same while the service submits it again at another price. */
const OF_TRANSACTION = ["id", "nonce", "to", "value", "data", "from"] as const;

/**
 * Returns the digest of what a request changes, or sends from: a transaction without its fees and state, otherwise the whole
 * resource; undefined if there is none yet.
 */
export async function readSeen(request: ApiRequest, client: Client): Promise<string | undefined> {
  const found = await readTarget(request, client);
  return found === undefined ? undefined : digestOf(writeJson(found));
}

async function readTarget({ operation, parameters = {} }: ApiRequest, client: Client): Promise<JsonValue | undefined> {
  const { relayer_id: relayer, transaction_id: transaction } = parameters;
  if (transaction !== undefined && relayer !== undefined) {
    const data: JsonObject = (await client.tx.get(relayer, transaction)).data;
    return Object.fromEntries(OF_TRANSACTION.map((name) => [name, data[name] ?? null]));
  }
  const noun = operation.id.split(".")[0] ?? "";
  const read = Object.values(operations).find(({ id }) => id === `${noun === "tx" ? "relayers" : noun}.get`);
  if (!read || Object.keys(parameters).length === 0) return undefined;
  try {
    const { data } = await client.request({ operation: read, parameters });
    return isJsonObject(data) ? data : undefined;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return null;
    throw error;
  }
}
