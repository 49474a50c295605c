import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { NETWORK_KINDS } from "../../contract/network-kind.ts";
import { updateNetworkSchema } from "../../contract/requests.ts";
import { oneOf } from "../../nearest.ts";
import type { NetworkMember } from "../compare/compare-network.ts";
import type { FileItem } from "./file-item.ts";
import { referToHidden } from "./refer.ts";
import { rpcUrls } from "./rpc-urls.ts";

interface Form {
  rule: string;
  fits(value: JsonValue): boolean;
}

const text: Form = { rule: "must be a string", fits: (value) => typeof value === "string" };
const flag: Form = { rule: "true or false", fits: (value) => typeof value === "boolean" };
const count: Form = { rule: "a whole number of 0 or more", fits: (value) => isJsonInteger(value) && value >= 0 };
const texts: Form = {
  rule: "a list of strings",
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};

/** The members of a network besides its name, type, and RPC URLs (facts 14). */
const FORMS: Readonly<Record<NetworkMember | "from" | "gas_price_cache", Form>> = {
  from: text,
  explorer_urls: texts,
  average_blocktime_ms: count,
  is_testnet: flag,
  tags: texts,
  chain_id: count,
  required_confirmations: count,
  features: texts,
  symbol: text,
  gas_price_cache: { rule: "must be an object", fits: isJsonObject },
  passphrase: text,
  horizon_url: text,
};

const KNOWN = ["type", "network", "rpc_urls", ...Object.keys(FORMS)];
const REQUIRED = { type: NETWORK_KINDS.join(", "), network: "its name, e.g. sepolia" };

/** Returns a network with the names of a response: `name` and `network_type` (facts 8.2, 14). */
export function readNetwork(item: FileItem): JsonObject {
  const { type, network, rpc_urls: urls, ...others } = item.members({ known: KNOWN, required: REQUIRED });
  validateName(item, type, network);
  for (const [name, value] of Object.entries(others)) {
    const form = FORMS[name as keyof typeof FORMS];
    if (!form.fits(value) && !item.isSettled(name)) item.doubt(name, form.rule, value);
  }
  const fields: JsonObject = { name: network ?? null, network_type: type ?? null, ...others };
  if (urls !== undefined) {
    fields.rpc_urls = rpcUrls(item, "rpc_urls", urls);
    item.validate(updateNetworkSchema, { rpc_urls: fields.rpc_urls }, "", () => ["url", "weight"]);
  }
  referToHidden(item, fields);
  return fields;
}

function validateName(item: FileItem, type: JsonValue | undefined, network: JsonValue | undefined): void {
  if (typeof type === "string" && !NETWORK_KINDS.some((kind) => kind === type))
    item.doubt("type", oneOf(type, NETWORK_KINDS), type);
  else if (type !== undefined && typeof type !== "string") item.problem("type", "must be a string", type);
  if (network === "") item.problem("network", "cannot be empty");
  else if (network !== undefined && typeof network !== "string") item.problem("network", "must be a string", network);
}
