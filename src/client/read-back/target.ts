import { operations } from "../../contract/operations.ts";
import { listItemValue } from "../../contract/reply/list-reply.ts";
import { RelayctlError } from "../../errors.ts";
import type { ClientContext } from "../client-context.ts";
import { pageQuery } from "../pagination/list-pages.ts";
import { readOne, readSuccess } from "../read.ts";
import { type Lookup, readById } from "../read-named.ts";
import { type ApiRequest, type ApiResult, apiRequest } from "../request.ts";
import { identityInBody } from "./compare-with-response.ts";

type Noun = "relayers" | "notifications" | "signers" | "networks" | "plugins";

export const LOOKUPS = {
  relayers: lookupIn("relayers"),
  notifications: lookupIn("notifications"),
  signers: lookupIn("signers"),
  networks: lookupIn("networks"),
  plugins: lookupIn("plugins"),
} satisfies Record<Noun, Lookup>;

function lookupIn(noun: Noun): Lookup {
  const parameter = `${noun.slice(0, -1)}_id`;
  return { get: operations[`${noun}.get`], list: operations[`${noun}.list`], parameter };
}

export async function readTarget(requested: ApiRequest, clientContext: ClientContext): Promise<ApiResult> {
  const { relayer_id, transaction_id } = requested.parameters ?? {};
  if (requested.operation.id === "tx.send" && relayer_id !== undefined)
    return await readNewest(relayer_id, clientContext);
  if (relayer_id !== undefined && transaction_id !== undefined)
    return await readOne(apiRequest("tx.get", { relayer_id, transaction_id }), clientContext);
  const found = findReadBackTarget(requested);
  if (!found) throw new RelayctlError("internal", "this request cannot be read back");
  return await readById(found.lookup, found.id, clientContext);
}

/** Returns whether a write's target can be read afterwards: a call leaves nothing to read. */
export function canBeReadBack(requested: ApiRequest): boolean {
  return isTransaction(requested) || findReadBackTarget(requested) !== undefined;
}

function isTransaction({ operation, parameters = {} }: ApiRequest): boolean {
  return parameters.relayer_id !== undefined && (operation.id === "tx.send" || parameters.transaction_id !== undefined);
}

function findReadBackTarget(requested: ApiRequest): { lookup: Lookup; id: string } | undefined {
  const lookups: Readonly<Record<string, Lookup>> = LOOKUPS;
  const lookup = lookups[requested.operation.id.split(".")[0] ?? ""];
  const id = lookup && (requested.parameters?.[lookup.parameter] ?? identityInBody(requested));
  return lookup && id !== undefined && !requested.operation.bare ? { lookup, id } : undefined;
}

/** Reads the relayer's newest transaction: with a lost response, it may be the sent transaction (facts 2). */
async function readNewest(relayer_id: string, clientContext: ClientContext): Promise<ApiResult> {
  const request = { ...apiRequest("tx.list", { relayer_id }), query: pageQuery({ page: 1, perPage: 1 }) };
  const { items, reply } = await readSuccess(request, clientContext);
  if (!items?.[0]) throw new RelayctlError("not_found", "the relayer has no transactions");
  return { data: listItemValue(items[0]), body: reply.body, head: reply, unconfirmed: [] };
}
