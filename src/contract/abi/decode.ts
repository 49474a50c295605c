import { Buffer } from "node:buffer";
import { decodeValues, encodeValues } from "./codec.ts";
import type { Abi, AbiItem } from "./item.ts";
import { canonicalLength } from "./layout.ts";
import type { AbiParameter, AbiValue } from "./type.ts";

/** The most bytes that are decoded; a node accepts no transaction above 128 KiB. */
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
 * Decodes a call by every function whose selector it begins with. Only arguments whose encoding is the very same bytes
 * count, so that a wrong signature shows no wrong amount.
 * @param data hex with its prefix
 * @returns nothing if no function fits; several if selectors collide
 */
export function decodeCall(data: string, abis: readonly Abi[]): Decoded[] {
  return decodeBy(
    data,
    abis.flatMap(({ functions }) => functions),
  );
}

/** Decodes the bytes with which a call reverted by the errors of ABIs, like `decodeCall`. */
export function decodeRevert(data: string, abis: readonly Abi[]): Decoded[] {
  return decodeBy(
    data,
    abis.flatMap(({ errors }) => errors),
  );
}

function decodeBy(data: string, items: readonly AbiItem[]): Decoded[] {
  const selector = data.slice(0, SELECTOR_DIGITS).toLowerCase();
  const fitting = new Map(items.filter((item) => item.selector === selector).map((item) => [item.signature, item]));
  const bytes = fitting.size > 0 ? findBytes(data) : undefined;
  return [...fitting.values()].flatMap((item) => {
    const found = bytes && decodeStrictly(item.inputs, bytes);
    return found ? [{ item, ...found }] : [];
  });
}

/** Returns the bytes after the selector; undefined if they are not whole, or too many. */
function findBytes(data: string): Uint8Array | undefined {
  if (data.length % 2 === 1 || data.length > 2 * MOST_BYTES) return undefined;
  const bytes = Buffer.from(data.slice(SELECTOR_DIGITS), "hex");
  return bytes.length * 2 === data.length - SELECTOR_DIGITS ? bytes : undefined;
}

function decodeStrictly(parameters: readonly AbiParameter[], bytes: Uint8Array): Omit<Decoded, "item"> | undefined {
  const length = canonicalLength(parameters, bytes);
  if (length === undefined) return undefined;
  const own = bytes.subarray(0, length);
  const args = decodeValues(parameters, own);
  if (args === undefined || !isSame(parameters, args, own)) return undefined;
  return { args, trailing: bytes.length - length };
}

/** Returns whether encoding the arguments again yields the same bytes. */
function isSame(parameters: readonly AbiParameter[], args: readonly AbiValue[], bytes: Uint8Array): boolean {
  try {
    return encodeValues(parameters, args) === `0x${Buffer.from(bytes).toString("hex")}`;
  } catch {
    // An integer is out of its type's range.
    return false;
  }
}
