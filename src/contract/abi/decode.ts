import { Buffer } from "node:buffer";
import { elseOnError } from "../../errors.ts";
import { decodeAbiValues, encodeAbiValues } from "./codec.ts";
import type { Abi, AbiItem } from "./item.ts";
import { type AbiParameter, type AbiType, type AbiValue, abiTypeHeadSize, isDynamicAbiType } from "./type.ts";

const WORD = 32;

/** Returns undefined unless every offset is canonical: a few bytes could stand for gigabytes of shared values. */
function canonicalLength(parameters: readonly AbiParameter[], data: Uint8Array): number | undefined {
  const walk = new Walk(data);
  const end = walk.tuple(
    parameters.map(({ type }) => type),
    0,
  );
  return walk.isCanonical ? end : undefined;
}

class Walk {
  isCanonical = true;
  private readonly data: Uint8Array;
  /** Each value takes one: values without data must not be free. */
  private valuesLeft: number;

  constructor(data: Uint8Array) {
    this.data = data;
    this.valuesLeft = data.length + 1_024;
  }

  /** Returns the end of a value at an offset. */
  tuple(types: readonly AbiType[], start: number): number {
    let head = start;
    let tail = start + types.reduce((sum, type) => sum + abiTypeHeadSize(type), 0);
    for (const type of types) {
      if (!this.isCanonical) break;
      if (isDynamicAbiType(type)) {
        this.demand(this.wordAt(head) === BigInt(tail - start));
        tail = this.value(type, tail);
        head += WORD;
      } else head = this.value(type, head);
    }
    return tail;
  }

  private value(type: AbiType, start: number): number {
    this.demand(this.valuesLeft-- > 0);
    if (!this.isCanonical) return start;
    if (type.kind === "tuple")
      return this.tuple(
        type.members.map((member) => member.type),
        start,
      );
    if (type.kind === "array") return this.array(type, start);
    if (!isDynamicAbiType(type)) return this.within(start + WORD);
    const length = this.lengthAt(start);
    return this.within(start + WORD + Math.ceil(length / WORD) * WORD);
  }

  private array({ item, length }: AbiType & { kind: "array" }, start: number): number {
    const count = length ?? this.lengthAt(start);
    const first = length === undefined ? start + WORD : start;
    this.demand(count <= this.valuesLeft && first + count * abiTypeHeadSize(item) <= this.data.length);
    return this.isCanonical ? this.tuple(new Array<AbiType>(count).fill(item), first) : start;
  }

  /** Reads a length, which can't be above the data's. */
  private lengthAt(offset: number): number {
    const length = this.wordAt(offset);
    this.demand(length !== undefined && length <= BigInt(this.data.length));
    return this.isCanonical ? Number(length) : 0;
  }

  private wordAt(offset: number): bigint | undefined {
    this.within(offset + WORD);
    if (!this.isCanonical) return undefined;
    const { buffer, byteOffset } = this.data;
    const view = new DataView(buffer, byteOffset + offset, WORD);
    return [0, 8, 16, 24].reduce((word, at) => (word << 64n) | view.getBigUint64(at), 0n);
  }

  private within(end: number): number {
    this.demand(end <= this.data.length);
    return end;
  }

  private demand(holds: boolean): void {
    if (!holds) this.isCanonical = false;
  }
}

/** The most decoded bytes; a node accepts no transaction above 128 KiB. */
const MOST_BYTES = 2 ** 20;

const SELECTOR_DIGITS = 10;

/** A call, or an error, whose arguments are known. */
export interface Decoded {
  item: AbiItem;
  args: readonly AbiValue[];
  /** The number of bytes after the arguments, which have no meaning for the signature. */
  trailing: number;
}

/**
 * Decodes a call by every function with its selector, if its arguments encode to the same bytes, so that a wrong
 * signature shows no wrong amount.
 * @param data hex with its prefix
 * @returns nothing if no function fits; several if selectors collide
 */
export function decodeAbiCall(data: string, abis: readonly Abi[]): Decoded[] {
  return decodeBy("functions", data, abis);
}

/** Decodes the bytes that a call reverted with by the errors of ABIs, like `decodeAbiCall`. */
export function decodeAbiRevert(data: string, abis: readonly Abi[]): Decoded[] {
  return decodeBy("errors", data, abis);
}

function decodeBy(kind: "functions" | "errors", data: string, abis: readonly Abi[]): Decoded[] {
  const selector = data.slice(0, SELECTOR_DIGITS).toLowerCase();
  const items = abis.flatMap((abi) => abi[kind]);
  const fitting = new Map(items.filter((item) => item.selector === selector).map((item) => [item.signature, item]));
  const bytes = fitting.size > 0 ? bytesFrom(data) : undefined;
  return [...fitting.values()].flatMap((item) => {
    const found = bytes && decodeStrictly(item.inputs, bytes);
    return found ? [{ item, ...found }] : [];
  });
}

function bytesFrom(data: string): Uint8Array | undefined {
  if (data.length % 2 === 1 || data.length > 2 * MOST_BYTES) return undefined;
  const bytes = Buffer.from(data.slice(SELECTOR_DIGITS), "hex");
  return bytes.length * 2 === data.length - SELECTOR_DIGITS ? bytes : undefined;
}

function decodeStrictly(parameters: readonly AbiParameter[], bytes: Uint8Array): Omit<Decoded, "item"> | undefined {
  const length = canonicalLength(parameters, bytes);
  if (length === undefined) return undefined;
  const own = bytes.subarray(0, length);
  const args = decodeAbiValues(parameters, own);
  if (args === undefined || !isSame(parameters, args, own)) return undefined;
  return { args, trailing: bytes.length - length };
}

function isSame(parameters: readonly AbiParameter[], args: readonly AbiValue[], bytes: Uint8Array): boolean {
  // An integer may be out of its type's range.
  return elseOnError(() => encodeAbiValues(parameters, args)) === `0x${Buffer.from(bytes).toString("hex")}`;
}
