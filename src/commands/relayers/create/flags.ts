import type { Problems } from "../../../command-support/problems.ts";
import { type BodyFile, readBodyFile, sourcesOf } from "../../../command-support/request-body/body-file.ts";
import { flagOf, validateBody } from "../../../command-support/request-body/body-problems.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { createRelayerSchema } from "../../../contract/requests.ts";
import type { Call } from "../../command.ts";
import { parseRpcUrl, rpcUrlSource } from "../../flags/rpc-url-flag.ts";
import { type PolicyFileFlags, policiesFromFlags } from "../change/policies-from-flags.ts";
import { firstPolicies } from "./first-policies.ts";

/** The flags of `relayers create`, as commander names them. */
export interface CreateFlags extends Omit<PolicyFileFlags, "unsetPolicy" | "resetPolicies"> {
  id?: string;
  name?: string;
  network?: string;
  networkType?: string;
  signerId?: string;
  paused?: true;
  notificationId?: string;
  rpcUrl?: string[];
  file?: string;
  interactive?: true;
}

/** What the service cannot do without, and what it is. */
export const REQUIRED: Readonly<Record<string, string>> = {
  name: "its display name",
  network: "the network's name, e.g. sepolia",
  network_type: "evm, solana or stellar",
  signer_id: "the signer that holds its key",
};

/** The body of a creation as it was typed, judged by every rule that needs no look at the service. */
export async function creationFromFlags(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const file = await readBodyFile(call.app, call.flags.file);
  const policies = await policiesFromFlags(call, file, problems);
  const typed = fieldsOf(call.flags, problems);
  const body = withPause({ ...file.fields, ...typed });
  validateFields(problems, body, typed, file);
  const { network_type: kind, network } = body;
  if (!isNetworkKind(kind)) return body;
  const validated = firstPolicies(problems, policies ?? undefined, kind, network);
  return validated ? { ...body, policies: validated } : body;
}

function fieldsOf(flags: CreateFlags, problems: Problems): JsonObject {
  const { id, name, network, networkType, signerId, paused, notificationId, rpcUrl } = flags;
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(network !== undefined && { network }),
    ...(networkType !== undefined && { network_type: networkType }),
    ...(paused !== undefined && { paused }),
    ...(signerId !== undefined && { signer_id: signerId }),
    ...(notificationId !== undefined && { notification_id: notificationId }),
    ...(rpcUrl && { custom_rpc_urls: rpcUrl.map((text) => parseRpcUrl(problems, text)) }),
  };
}

/** The service really requires `paused` (facts 3.1). */
function withPause(body: JsonObject): JsonObject {
  return body.paused === undefined ? { ...body, paused: false } : body;
}

function validateFields(problems: Problems, body: JsonObject, typed: JsonObject, file: BodyFile): void {
  for (const [field, what] of Object.entries(REQUIRED)) {
    if (body[field] === undefined) problems.add(flagOf(field), `is required: ${what}`);
  }
  const sourceOf = sourcesOf(typed, file);
  const isUrl = (path: string) => typed.custom_rpc_urls && rpcUrlSource(path);
  validateBody(problems, createRelayerSchema, body, (path) => isUrl(path) || sourceOf(path));
}
