import type { ApiRequest } from "../../client/request.ts";
import { isJsonObject } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { capIn, capRisks } from "../../contract/policy/cap-change.ts";
import { testAccountsIn } from "../../contract/test-accounts.ts";
import type { Limited } from "../../limits/limited.ts";
import type { Call } from "../command.ts";
import { relayerIfReadable } from "../relayers/relayer-if-readable.ts";
import { testAccountWarnings } from "../tx/funds/test-accounts.ts";
import { exceededLimits } from "../tx/limits.ts";

/** Returns the change of a relayer's gas price cap, which every way to send it must check. */
export async function readRisks(call: Call, { operation, parameters, body }: ApiRequest): Promise<string[]> {
  const id = parameters?.relayer_id;
  if (operation.id !== "relayers.update" || id === undefined || capIn(body) === undefined) return [];
  return capRisks(body, (await relayerIfReadable(call, id))?.data);
}

/** Returns a warning for each receiver whose private key is public, as every way to send a transaction does. */
export async function readWarnings(call: Call, { operation, parameters, body }: ApiRequest): Promise<string[]> {
  const relayerId = parameters?.relayer_id;
  const isTransaction = operation.id === "tx.send" || operation.id === "tx.replace";
  if (!isTransaction || relayerId === undefined || !isJsonObject(body) || testAccountsIn(body).length === 0) return [];
  return await testAccountWarnings(call, (await relayerIfReadable(call, relayerId))?.data, body);
}

/** Returns how a transaction goes beyond the limits of its context, which every way to send it must check. */
export async function exceededBy(call: Call, request: ApiRequest): Promise<string[]> {
  const limited = await limitedBy(call, request);
  return limited ? await exceededLimits(call, limited) : [];
}

/** Returns the transaction of a request that the limits of its context apply to. A dry run reads nothing about it. */
export async function limitedBy(call: Call, { operation, parameters, body }: ApiRequest): Promise<Limited | undefined> {
  const { relayer_id: relayerId, transaction_id: id } = parameters ?? {};
  const isTransaction = operation.id === "tx.send" || operation.id === "tx.replace";
  const { limits, client, reach } = await call.session();
  const hasLimits = Object.keys(limits).length > 0;
  if (!isTransaction || relayerId === undefined || !isJsonObject(body) || !hasLimits) return undefined;
  const reads = reach === "all";
  const relayer = reads ? (await relayerIfReadable(call, relayerId))?.data : undefined;
  const before = id === undefined || !reads ? undefined : (await client.tx.get(relayerId, id)).data;
  const kind = isNetworkKind(relayer?.network_type) ? relayer.network_type : "evm";
  return { relayerId, relayer, kind, body, ...(id !== undefined && { replaces: { id, before } }) };
}
