import type { Problems } from "../../command-support/problems.ts";
import { readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import { validateBody } from "../../command-support/request-body/body-problems.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import type { JsonObject } from "../../contract/json.ts";
import { updateNetworkSchema } from "../../contract/requests.ts";
import { asRpcConfigs, MAX_NETWORK_WEIGHT } from "../../contract/resources/network.ts";
import type { Call } from "../command.ts";
import { parseRpcUrl, rpcUrlSource } from "../flags/rpc-url-flag.ts";

/** The flags of `networks update`, as commander names them. */
export interface UpdateFlags extends DiffFlag {
  rpcUrl?: string[];
  file?: string;
}

/** The body of a change as it was typed; a list of no URLs, or none at all, is one of the problems. */
export async function changeFromFlags({ app, flags }: Call<UpdateFlags>, problems: Problems): Promise<JsonObject> {
  const file = await readBodyFile(app, flags.file);
  const typed: JsonObject = flags.rpcUrl
    ? { rpc_urls: flags.rpcUrl.map((text) => parseRpcUrl(problems, text, MAX_NETWORK_WEIGHT)) }
    : {};
  const body: JsonObject = { ...file.fields, ...typed };
  const { rpc_urls: urls } = body;
  const sourceOf = sourcesOf(typed, file);
  const validated = Array.isArray(urls) ? { ...body, rpc_urls: asRpcConfigs(urls) } : body;
  if (urls === undefined) problems.add("--rpc-url", "At least one field must be provided for update");
  validateBody(problems, updateNetworkSchema, validated, (path) => {
    if (path === "rpc_urls" && !file.fields.rpc_urls) return "--rpc-url";
    return (typed.rpc_urls && rpcUrlSource(path)) || sourceOf(path);
  });
  return body;
}
