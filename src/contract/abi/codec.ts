import { elseOnError } from "../../errors.ts";
import { type JsonValue, writeJson } from "../json.ts";
import { decode, encode, from, fromString, keccak256 } from "./ox.ts";
import { AbiError, type AbiParameter, type AbiType, type AbiValue, abiTypeText } from "./type.ts";

/** Returns the parameters of a signature as a JSON ABI has them. @throws AbiError */
export function parseAbiSignature(signature: string): JsonValue {
  try {
    const { inputs } = from(`function ${signature}` as "function f()");
    return inputs as unknown as JsonValue;
  } catch (error) {
    throw new AbiError(`is not a function signature: ${signatureRule(error)}`);
  }
}

function signatureRule(error: unknown): string {
  const [, unknown] = /Type "([^"]*)" is not a valid ABI type/.exec(String(error)) ?? [];
  return unknown === undefined ? "write it like transfer(address,uint256)" : `unknown type ${writeJson(unknown)}`;
}

export function abiSelector(signature: string): string {
  return keccak256(fromString(signature)).slice(0, 10);
}

export function encodeAbiValues(parameters: readonly AbiParameter[], values: readonly AbiValue[]): string {
  return encode(parameters.map(toLibrary), [...values]);
}

export function decodeAbiValues(parameters: readonly AbiParameter[], data: Uint8Array): AbiValue[] | undefined {
  if (parameters.length === 0) return [];
  const values = elseOnError(() => decode(parameters.map(toLibrary), data, { checksumAddress: true }));
  return (values as readonly unknown[] | undefined)?.map(fromLibrary);
}

/** A parameter as the library reads it. It has no names: a name could be a property that every object has. */
interface LibraryParameter {
  type: string;
  components?: LibraryParameter[];
}

function toLibrary({ type }: { type: AbiType }): LibraryParameter {
  let [inner, lengths] = [type, ""];
  for (; inner.kind === "array"; inner = inner.item) lengths = `[${inner.length ?? ""}]${lengths}`;
  if (inner.kind !== "tuple") return { type: `${abiTypeText(inner)}${lengths}` };
  return { type: `tuple${lengths}`, components: inner.members.map(toLibrary) };
}

/** Small integers are numbers in the library, always exact. */
function fromLibrary(value: unknown): AbiValue {
  if (Array.isArray(value)) return value.map(fromLibrary);
  return typeof value === "number" ? BigInt(value) : (value as AbiValue);
}
