import type { Transport } from "../../../src/client/transport/transport.ts";
import { isJsonObject, type JsonObject, parseJson, writeJson } from "../../../src/contract/json.ts";
import { success } from "./reply.ts";
import { writtenService } from "./written.ts";

/** The members of a signer's config that the service never returns (facts 8.1). */
const SECRETS = ["key", "client_secret", "role_id", "secret_id", "api_private_key", "api_key_secret", "wallet_secret"];
const ACCOUNT_SECRETS = ["private_key", "private_key_id", "client_email"];

/** The written signers, and a create that responds like the running service: a plain signer is local. */
export function signerService(): Transport {
  const written = writtenService("signers");
  return async (request, limits) => {
    if (request.method !== "POST" || request.target !== "/api/v1/signers") return await written(request, limits);
    const { id, type, config } = parseJson(request.body ?? "") as JsonObject;
    return success(
      writeJson({ id: id ?? "", type: type === "plain" ? "local" : (type ?? ""), config: shown(config) }),
      undefined,
      201,
    );
  };
}

function shown(config: JsonObject[string] | undefined): JsonObject {
  if (!isJsonObject(config)) return {};
  const left = without(config, isJsonObject(config.key) ? [] : SECRETS);
  return isJsonObject(left.service_account)
    ? { ...left, service_account: without(left.service_account, ACCOUNT_SECRETS) }
    : left;
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
