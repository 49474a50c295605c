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

/** Returns a type as a signature contains it: `(address,uint256)[]`. */
export function typeText(type: AbiType): string {
  switch (type.kind) {
    case "uint":
    case "int":
      return `${type.kind}${type.bits}`;
    case "bytes":
      return `bytes${type.size ?? ""}`;
    case "array":
      return `${typeText(type.item)}[${type.length ?? ""}]`;
    case "tuple":
      return tupleText(type.members);
    default:
      return type.kind;
  }
}

/** Returns the types of parameters as a signature contains them: `(address,uint256)`. */
export function tupleText(parameters: readonly AbiParameter[]): string {
  return `(${parameters.map(({ type }) => typeText(type)).join(",")})`;
}

/** Returns whether the data of a type is elsewhere, with an offset in its place. */
export function isDynamic(type: AbiType): boolean {
  if (type.kind === "array") return type.length === undefined || isDynamic(type.item);
  if (type.kind === "tuple") return type.members.some((member) => isDynamic(member.type));
  return type.kind === "string" || (type.kind === "bytes" && type.size === undefined);
}

/** Returns the number of bytes that a type takes in its place. */
export function headSize(type: AbiType): number {
  if (isDynamic(type)) return WORD;
  if (type.kind === "array") return (type.length ?? 0) * headSize(type.item);
  if (type.kind === "tuple") return type.members.reduce((sum, member) => sum + headSize(member.type), 0);
  return WORD;
}
