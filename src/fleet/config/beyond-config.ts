import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { MAX_U64 } from "../../contract/largest-integers.ts";
import type { FileItem } from "./file-item.ts";

/** Warns of policies that the API accepts, but that a service cannot read from this file if it is its own (facts 14). */
export function warnBeyondConfig(item: FileItem, policies: JsonObject): void {
  // No service reads YAML.
  if (item.document.format !== "json") return;
  for (const name of ["gas_price_cap", "min_balance"])
    if (isJsonInteger(policies[name]) && policies[name] > MAX_U64)
      warn(item, `policies.${name}`, `reads no integer above 2^64−1 (${MAX_U64})`);
  const { swap_config: swap, allowed_tokens: tokens } = policies;
  if (isJsonObject(swap) && swap.strategy === "noop") warn(item, "policies.swap_config.strategy", "does not read noop");
  for (const [index, token] of entriesOf(tokens))
    if (isJsonObject(token) && isJsonObject(token.metadata))
      warn(item, `policies.allowed_tokens.${index}.metadata`, "does not read the metadata of a token");
}

function entriesOf(list: JsonValue | undefined): Iterable<[number, JsonValue]> {
  return Array.isArray(list) ? list.entries() : [];
}

function warn(item: FileItem, path: string, limit: string): void {
  item.warn(path, `${path}: a service ${limit} from its config file, although its API accepts it`);
}
