import * as z from "zod/mini";
import { isJsonObject, type JsonValue } from "../../../json.ts";

/** The variants of a contract's value (Stellar-contract.x, `SCVal`), as the service writes them in JSON. */
const VARIANTS = [
  "bool",
  "error",
  "u32",
  "i32",
  "u64",
  "i64",
  "timepoint",
  "duration",
  "u128",
  "i128",
  "u256",
  "i256",
  "bytes",
  "string",
  "symbol",
  "vec",
  "map",
  "address",
  "contract_instance",
  "ledger_key_nonce",
];
/** Those that hold nothing are words. */
const WORDS = ["void", "ledger_key_contract_instance"];

/** service-facts 5.7, ScVal: an object of one member, as `{"u64":"123"}`; what is in it the service reads when it prepares. */
export const contractValue = z.custom<JsonValue>((value) => {
  if (typeof value === "string") return WORDS.includes(value);
  if (!isJsonObject(value)) return false;
  const [variant = "", ...more] = Object.keys(value);
  return more.length === 0 && VARIANTS.includes(variant);
}, 'one value of a contract, as {"u64":"123"} or {"symbol":"transfer"}');
