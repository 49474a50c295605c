import { formatAmount, wireAmount, withPoint } from "../../../contract/amount.ts";
import { STROOPS } from "../../../contract/currency.ts";
import { base64Bytes } from "../../../contract/encoding/base64.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import { instructionText } from "../../../contract/transaction/solana-instruction.ts";
import { visible } from "../../../terminal/escape.ts";

/** Every amount of Stellar, also of its other assets, has seven decimals. */
const STELLAR_DECIMALS = 7;

/**
 * Returns an operation of Stellar, or an instruction of Solana, in words that show all of it; undefined for any other,
 * which is shown as it is sent. The text is escaped.
 */
export function itemWords(item: JsonValue): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const words = "program_id" in item ? solanaWords(item) : stellarWords(item);
  return words === undefined ? undefined : visible(words);
}

function stellarWords(item: JsonObject): string | undefined {
  const { type, ...rest } = item;
  if (type === "payment") return paymentWords(rest);
  if (type === "invoke_contract") return invokeWords(rest);
  return undefined;
}

function paymentWords({ destination, amount, asset, ...others }: JsonObject): string | undefined {
  const units = wireAmount(amount);
  const name = isJsonObject(asset) ? assetName(asset) : undefined;
  if (units === undefined || name === undefined || typeof destination !== "string" || isAny(others)) return undefined;
  const isNative = isJsonObject(asset) && asset.type === "native";
  return `pay ${isNative ? formatAmount(units, STROOPS) : `${withPoint(units, STELLAR_DECIMALS)} ${name}`} to ${destination}`;
}

function assetName({ type, code, issuer }: JsonObject): string | undefined {
  if (type === "native") return "XLM";
  return typeof code === "string" && typeof issuer === "string" ? `${code} (issued by ${issuer})` : undefined;
}

function invokeWords({ contract_address: contract, function_name: name, args, auth, ...others }: JsonObject) {
  const isPlain =
    (auth ?? null) === null || (isJsonObject(auth) && (auth.type === "none" || auth.type === "source_account"));
  if (typeof contract !== "string" || typeof name !== "string" || !Array.isArray(args)) return undefined;
  if (!isPlain || isAny(others)) return undefined;
  return `call ${name}(${args.map(argumentWords).join(", ")}) of ${contract}`;
}

/** A contract value has one field, its type: `u64 25`. */
function argumentWords(value: JsonValue): string {
  const [[type, held] = ["", null], ...more] = isJsonObject(value) ? Object.entries(value) : [];
  const isPlain = more.length === 0 && typeof held !== "object" && type !== "";
  return isPlain
    ? `${type} ${typeof held === "string" && type !== "string" ? held : writeJson(held)}`
    : writeJson(value);
}

function isAny(fields: JsonObject): boolean {
  return Object.values(fields).some((value) => value !== null && value !== undefined);
}

function solanaWords({ program_id: programId, accounts, data }: JsonObject): string | undefined {
  const bytes = typeof data === "string" ? base64Bytes(data) : undefined;
  if (typeof programId !== "string" || !bytes || !Array.isArray(accounts)) return undefined;
  const keys = accounts.map((account) => (isJsonObject(account) ? account.pubkey : undefined));
  const isValid = (key: unknown): key is string => typeof key === "string";
  return keys.every(isValid) ? instructionText({ programId, accounts: keys, data: bytes }) : undefined;
}
