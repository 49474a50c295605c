import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../json.ts";
import { abiSelector, parseAbiSignature } from "./codec.ts";
import { AbiError, type AbiParameter, abiTupleText, parseAbiParameters } from "./type.ts";

export interface AbiItem {
  name: string;
  /** The name and the types, from which the selector is computed: `transfer(address,uint256)`. */
  signature: string;
  /** The first 4 bytes of the hash of the signature, as hex in lowercase. */
  selector: string;
  inputs: readonly AbiParameter[];
  /** Whether a call may send the network's coin; undefined if unknown. */
  isPayable: boolean | undefined;
}

export interface Abi {
  functions: readonly AbiItem[];
  errors: readonly AbiItem[];
}

/** A name in Solidity; no other name could be typed or shown. */
const NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,255}$/;

const LONGEST = 4_096;

/** Parses a signature as typed: `transfer(address,uint256)`, with or without parameter names. @throws AbiError */
export function abiSignatureItem(text: string): AbiItem {
  const [, name = "", rest = ""] = /^\s*(?:function\s+)?([^\s(]*)\s*(\(.*\)[a-z\s]*)$/s.exec(text) ?? [];
  if (text.length > LONGEST) throw new AbiError(`is longer than ${LONGEST} characters`);
  if (!NAME.test(name)) throw new AbiError("needs a name and types in parentheses, e.g. transfer(address,uint256)");
  if (/,\s*[,)]/.test(rest)) throw new AbiError("has a comma without a type after it");
  const parsed = parseAbiSignature(`${name}${rest}`);
  return buildItem(name, parseAbiParameters(parsed), undefined);
}

/** Reads an ABI: a list of items, or an artifact of Foundry or Hardhat with `abi`. @throws AbiError */
export function readAbi(document: JsonValue): Abi {
  const items = isJsonObject(document) ? document.abi : document;
  if (!Array.isArray(items)) throw new AbiError("is not an ABI: needs a list, or an object with the list as abi");
  // An ABI that is merged from several contracts can have the same function twice.
  const read = (type: string) => [
    ...new Map(
      items
        .filter(isJsonObject)
        .flatMap((item) => itemIn(item, type))
        .map((item) => [item.signature, item]),
    ).values(),
  ];
  const abi = { functions: read("function"), errors: read("error") };
  if (abi.functions.length + abi.errors.length === 0)
    throw new AbiError("is not an ABI of a contract: it has no functions and no errors");
  return abi;
}

/** Returns an item of a type, if it has it. Older compilers write no type for a function. */
function itemIn(item: JsonObject, wanted: string): AbiItem[] {
  const { type = "function", name, inputs = [], stateMutability: mutability, payable } = item;
  if (type !== wanted || typeof name !== "string") return [];
  if (!NAME.test(name)) throw new AbiError(`has the invalid name ${writeJson(name.slice(0, 60))}`);
  try {
    const isPayable = typeof mutability === "string" ? mutability === "payable" : payable === true;
    return [buildItem(name, parseAbiParameters(inputs), isPayable)];
  } catch (error) {
    if (error instanceof AbiError) throw new AbiError(`has the ${wanted} ${name}, which ${error.message}`);
    throw error;
  }
}

function buildItem(name: string, inputs: readonly AbiParameter[], isPayable: boolean | undefined): AbiItem {
  const signature = `${name}${abiTupleText(inputs)}`;
  return { name, signature, selector: abiSelector(signature), inputs, isPayable };
}
