import { addressProblem, hexProblem } from "../address.ts";
import { decimalOf, isNumber } from "../decimal.ts";
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson } from "../json.ts";
import { type AbiParameter, type AbiType, type AbiValue, typeText } from "./type.ts";

/** What is wrong with an argument, and where in it: `[2].amount`. */
interface ArgumentProblem {
  path: string;
  rule: string;
}

const MOST_PROBLEMS = 5;

/** Returns the address of a label that is typed as `@name`, or why there is none. */
export type LabelLookup = (typed: string) => { address: string } | { rule: string };

export type ReadArgument = { value: AbiValue } | { problems: ArgumentProblem[] };

/** Reads a typed argument: a text, or JSON for a list or tuple. Integers are exact. Addresses may be labels. */
export function readArgument(type: AbiType, text: string, lookUp: LabelLookup): ReadArgument {
  const problems: ArgumentProblem[] = [];
  const value = readValue(type, type.kind === "array" || type.kind === "tuple" ? jsonOf(type, text, problems) : text);
  return problems.length > 0 ? { problems: problems.slice(0, MOST_PROBLEMS) } : { value: value ?? "" };

  function readValue(expected: AbiType, given: JsonValue | undefined, path = ""): AbiValue | undefined {
    if (given === undefined) return undefined;
    if (expected.kind === "array") return readList(expected, given, path);
    if (expected.kind === "tuple") return readTuple(expected.members, given, path);
    const found = scalar(expected, given, lookUp);
    if ("value" in found) return found.value;
    problems.push({ path, rule: found.rule });
    return undefined;
  }

  function readList({ item, length }: AbiType & { kind: "array" }, given: JsonValue, path: string): AbiValue {
    if (!Array.isArray(given)) return refuse(path, "needs a list");
    if (length !== undefined && given.length !== length)
      return refuse(path, `needs ${length} items, has ${given.length}`);
    return given.map((each, index) => readValue(item, each, `${path}[${index}]`) ?? "");
  }

  function readTuple(members: readonly AbiParameter[], given: JsonValue, path: string): AbiValue {
    if (Array.isArray(given)) {
      if (given.length !== members.length) return refuse(path, `needs ${members.length} items, has ${given.length}`);
      return members.map(({ type }, index) => readValue(type, given[index], `${path}[${index}]`) ?? "");
    }
    if (!isJsonObject(given)) return refuse(path, "needs an object, or a list");
    const names = members.map(({ name }) => name);
    if (names.includes("") || new Set(names).size < names.length)
      return refuse(path, "needs a list: its fields have no names");
    const unknown = Object.keys(given).filter((key) => !names.includes(key));
    if (unknown.length > 0) refuse(path, `has the unknown field ${unknown.join(", ")}; known: ${names.join(", ")}`);
    return members.map(({ name, type }) => {
      const at = path === "" ? name : `${path}.${name}`;
      if (!Object.hasOwn(given, name)) return refuse(at, `is missing; it is ${typeText(type)}`);
      return readValue(type, given[name], at) ?? "";
    });
  }

  function refuse(path: string, rule: string): AbiValue {
    problems.push({ path, rule });
    return "";
  }
}

function jsonOf(type: AbiType, text: string, problems: ArgumentProblem[]): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const rule = `needs JSON for ${typeText(type)}, e.g. ${exampleOf(type)}: ${error.message}`;
    problems.push({ path: "", rule });
    return undefined;
  }
}

type Scalar = Exclude<AbiType, { kind: "array" | "tuple" }>;

function scalar(type: Scalar, given: JsonValue, lookUp: LabelLookup): { value: AbiValue } | { rule: string } {
  if (type.kind === "uint" || type.kind === "int") return integer(type, integerText(given));
  if (type.kind === "bool") return boolean(given);
  if (typeof given !== "string") return { rule: `needs a text in quotes for ${typeText(type)}` };
  if (type.kind === "string") return given.isWellFormed() ? { value: given } : { rule: "has half a character" };
  if (type.kind === "address") return address(given, lookUp);
  const rule = bytesProblem(given, "size" in type ? type.size : undefined);
  return rule === undefined ? { value: given.toLowerCase() } : { rule };
}

function address(given: string, lookUp: LabelLookup): { value: AbiValue } | { rule: string } {
  const found = given.startsWith("@") ? lookUp(given) : { address: given };
  if ("rule" in found) return found;
  const rule = addressProblem(found.address);
  return rule === undefined ? { value: found.address.toLowerCase() } : { rule };
}

function boolean(given: JsonValue): { value: AbiValue } | { rule: string } {
  const word = String(given);
  return word === "true" || word === "false" ? { value: word === "true" } : { rule: "needs true or false" };
}

/** Returns the digits of an integer, without the underscores between them. */
function integerText(given: JsonValue): string {
  if (isNumber(given)) return String(given);
  return typeof given === "string" ? given.replace(/(?<=[0-9])_(?=[0-9])/g, "") : "";
}

function integer(type: Scalar & { bits: number }, text: string): { value: AbiValue } | { rule: string } {
  const { units, scale } = decimalOf(text) ?? { units: 0n, scale: Number.NaN };
  const unit = 10n ** BigInt(scale || 0);
  if (Number.isNaN(scale) || units % unit !== 0n)
    return { rule: `needs a whole number for ${typeText(type)}, e.g. 25 or 1e18` };
  const value = units / unit;
  const isSigned = type.kind === "int";
  const most = 2n ** BigInt(isSigned ? type.bits - 1 : type.bits) - 1n;
  const least = isSigned ? -most - 1n : 0n;
  if (value >= least && value <= most) return { value };
  const range = isSigned ? `-2^${type.bits - 1} to 2^${type.bits - 1}-1` : `0 to 2^${type.bits}-1`;
  return { rule: `is out of range for ${typeText(type)} (${range})` };
}

function bytesProblem(text: string, size: number | undefined): string | undefined {
  const problem = hexProblem(text);
  const bytes = (text.length - 2) / 2;
  if (problem !== undefined || size === undefined || bytes === size) return problem;
  return `needs ${size} bytes (${2 * size} hex digits), has ${bytes}`;
}

export function exampleOf(type: AbiType): string {
  if (type.kind === "array") return `[${quotedExample(type.item)}]`;
  if (type.kind === "tuple")
    return type.members.every(({ name }) => name !== "")
      ? `{${type.members.map((member) => `"${member.name}":${quotedExample(member.type)}`).join(",")}}`
      : `[${type.members.map((member) => quotedExample(member.type)).join(",")}]`;
  if (type.kind === "bytes") return `0x${"ab".repeat(type.size ?? 2)}`;
  return EXAMPLES[type.kind];
}

function quotedExample(type: AbiType): string {
  const isText = type.kind === "address" || type.kind === "string" || type.kind === "bytes";
  return isText ? `"${exampleOf(type)}"` : exampleOf(type);
}

const EXAMPLES = {
  address: "@treasury",
  bool: "true",
  string: "text",
  uint: "25",
  int: "-25",
};
