import { type JsonValue, objectIn, writeJson } from "../json.ts";

/** The most levels of types, and members in all; contracts stay far below both. */
const MOST_DEPTH = 32;
const MOST_MEMBERS = 1_024;

/** An ABI that can't be read. The message follows the place. */
export class AbiError extends Error {
  override readonly name = "AbiError";
}

/** Parses the parameters of a JSON ABI. @throws AbiError */
export function parseAbiParameters(listed: JsonValue | undefined): AbiParameter[] {
  let left = MOST_MEMBERS;
  const parseList = (value: JsonValue | undefined, depth: number): AbiParameter[] => {
    if (!Array.isArray(value)) throw new AbiError("has parameters that are not a list");
    left -= value.length;
    if (left < 0) throw new AbiError(`has more than ${MOST_MEMBERS} parameters`);
    return value.map((each) => parseOne(each, depth));
  };
  const parseOne = (value: JsonValue, depth: number): AbiParameter => {
    const { name, type, components } = objectIn(value);
    if (typeof type !== "string") throw new AbiError("has a parameter without a type");
    if (depth > MOST_DEPTH) throw new AbiError(`has types nested more than ${MOST_DEPTH} levels deep`);
    const [, base = type, lengths = ""] = /^([a-z0-9]+)((?:\[\d*\])*)$/.exec(type) ?? [];
    const inner = base === "tuple" ? buildTuple(components, depth) : elementaryType(base, type);
    return { name: typeof name === "string" ? name : "", type: inArrays(inner, lengths, depth) };
  };
  const buildTuple = (components: JsonValue | undefined, depth: number): AbiType => ({
    kind: "tuple",
    members: parseList(components, depth + 1),
  });
  return parseList(listed, 0);
}

function inArrays(inner: AbiType, lengths: string, depth: number): AbiType {
  const found = [...lengths.matchAll(/\[(\d*)\]/g)];
  if (found.length + depth > MOST_DEPTH) throw new AbiError(`has types nested more than ${MOST_DEPTH} levels deep`);
  return found.reduce<AbiType>((item, [, length = ""]) => {
    const count = Number(length);
    if (!Number.isSafeInteger(count)) throw new AbiError("has an array of a length that is too large");
    return { kind: "array", item, ...(length !== "" && { length: count }) };
  }, inner);
}

/** Returns a type that has no parts. `uint` and `int` have 256 bits. */
function elementaryType(base: string, whole: string): AbiType {
  if (base === "address" || base === "bool" || base === "string") return { kind: base };
  if (base === "bytes") return { kind: "bytes" };
  const [, kind, digits = ""] = /^(u?int|bytes)((?:[1-9]\d{0,2})?)$/.exec(base) ?? [];
  const number = Number(digits);
  if (kind === "bytes" && number <= 32) return { kind, size: number };
  if ((kind === "uint" || kind === "int") && digits === "") return { kind, bits: 256 };
  if ((kind === "uint" || kind === "int") && number <= 256 && number % 8 === 0) return { kind, bits: number };
  throw new AbiError(`has a parameter of the unknown type ${writeJson(whole.slice(0, 60))}`);
}

export type AbiType =
  | { kind: "uint" | "int"; bits: number }
  | { kind: "address" | "bool" | "string" }
  /** Without a size, the length is part of the data. */
  | { kind: "bytes"; size?: number }
  /** Without a length, the length is part of the data. */
  | { kind: "array"; item: AbiType; length?: number }
  | { kind: "tuple"; members: readonly AbiParameter[] };

export interface AbiParameter {
  name: string;
  type: AbiType;
}

/** A decoded value: integers are bigints, addresses and bytes hex texts, tuples lists in the order of their members. */
export type AbiValue = bigint | boolean | string | readonly AbiValue[];

const WORD = 32;

export function abiTypeText(type: AbiType): string {
  switch (type.kind) {
    case "uint":
    case "int":
      return `${type.kind}${type.bits}`;
    case "bytes":
      return `bytes${type.size ?? ""}`;
    case "array":
      return `${abiTypeText(type.item)}[${type.length ?? ""}]`;
    case "tuple":
      return abiTupleText(type.members);
    default:
      return type.kind;
  }
}

export function abiTupleText(parameters: readonly AbiParameter[]): string {
  return `(${parameters.map(({ type }) => abiTypeText(type)).join(",")})`;
}

export function isDynamicAbiType(type: AbiType): boolean {
  if (type.kind === "array") return type.length === undefined || isDynamicAbiType(type.item);
  if (type.kind === "tuple") return type.members.some((member) => isDynamicAbiType(member.type));
  return type.kind === "string" || (type.kind === "bytes" && type.size === undefined);
}

export function abiTypeHeadSize(type: AbiType): number {
  if (isDynamicAbiType(type)) return WORD;
  if (type.kind === "array") return (type.length ?? 0) * abiTypeHeadSize(type.item);
  if (type.kind === "tuple") return type.members.reduce((sum, member) => sum + abiTypeHeadSize(member.type), 0);
  return WORD;
}
