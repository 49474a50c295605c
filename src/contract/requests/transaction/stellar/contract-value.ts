import * as z from "zod/mini";
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from "../../../json.ts";

type Holds = (value: JsonValue) => boolean;

/** What each variant of a contract's value holds (Stellar-contract.x, `SCVal`), as the service writes them in JSON. */
const VARIANTS: Readonly<Record<string, Holds>> = {
  bool: (value) => typeof value === "boolean",
  u32: bits(32),
  i32: signedBits(32),
  u64: bits(64),
  i64: signedBits(64),
  timepoint: bits(64),
  duration: bits(64),
  u128: inParts(bits(128), { hi: bits(64), lo: bits(64) }),
  i128: inParts(signedBits(128), { hi: signedBits(64), lo: bits(64) }),
  u256: inParts(bits(256), { hi_hi: bits(64), hi_lo: bits(64), lo_hi: bits(64), lo_lo: bits(64) }),
  i256: inParts(signedBits(256), { hi_hi: signedBits(64), hi_lo: bits(64), lo_hi: bits(64), lo_lo: bits(64) }),
  bytes: textLike(/^(?:[0-9a-f]{2})*$/i),
  string: (value) => typeof value === "string",
  symbol: textLike(/^\w{0,32}$/),
  address: textLike(/^[A-Z][A-Z2-7]{55,}$/),
  vec: listOf(isContractValue),
  map: listOf((entry) => hasMembers(entry, { key: isContractValue, val: isContractValue })),
  ledger_key_nonce: (value) => hasMembers(value, { nonce: signedBits(64) }),
  // An error has one of many forms, an instance holds what only its contract knows.
  error: () => true,
  contract_instance: isJsonObject,
};
/** Those that hold nothing are words. */
const WORDS = ["void", "ledger_key_contract_instance"];

/** service-facts 5.7, ScVal: an object of one member, as `{"u64":"123"}`, all the way down. */
export const contractValue = z.custom<JsonValue>(
  (value) => isContractValue(value as JsonValue),
  'one value of a contract, as {"u64":"123"} or {"symbol":"transfer"}',
);

function isContractValue(value: JsonValue): boolean {
  if (typeof value === "string") return WORDS.includes(value);
  if (!isJsonObject(value)) return false;
  const [[variant, held] = ["", null], ...more] = Object.entries(value);
  return more.length === 0 && Object.hasOwn(VARIANTS, variant) && VARIANTS[variant]?.(held) === true;
}

/** An integer, or its digits in a text: those of 64 bits come as both (service-facts 5.7). */
function bits(count: number): Holds {
  return (value) => isWhole(value) && BigInt.asUintN(count, BigInt(value)) === BigInt(value);
}

function signedBits(count: number): Holds {
  return (value) => isWhole(value) && BigInt.asIntN(count, BigInt(value)) === BigInt(value);
}

function isWhole(value: JsonValue): value is string | number | bigint {
  return isJsonInteger(value) || (typeof value === "string" && /^-?[0-9]+$/.test(value));
}

/** A wide integer, whole or cut in parts of 64 bits. */
function inParts(whole: Holds, parts: Readonly<Record<string, Holds>>): Holds {
  return (value) => whole(value) || hasMembers(value, parts);
}

function textLike(form: RegExp): Holds {
  return (value) => typeof value === "string" && form.test(value);
}

/** No list at all is one of the values, too. */
function listOf(holds: Holds): Holds {
  return (value) => value === null || (Array.isArray(value) && value.every(holds));
}

function hasMembers(value: JsonValue, members: Readonly<Record<string, Holds>>): boolean {
  const names = Object.keys(members);
  if (!isJsonObject(value) || Object.keys(value).length !== names.length) return false;
  return names.every((name) => isHeld(value, name, members[name]));
}

function isHeld(value: JsonObject, name: string, holds: Holds | undefined): boolean {
  const member = value[name];
  return member !== undefined && holds?.(member) === true;
}
