import { counted } from "../decimal.ts";
import { type Decoded, decodeCall } from "./decode.ts";
import type { Abi, AbiItem } from "./item.ts";
import { decodedText } from "./text.ts";
import type { AbiParameter, AbiType, AbiValue } from "./type.ts";

export interface DescribedCall {
  /** The call, then the calls inside it, and what is unlimited. Safe to print. */
  lines: string[];
  /** Whether the lines show all of the data. */
  isWhole: boolean;
}

/** Functions whose bytes are calls of contracts. */
const CARRIES =
  /^(?:multicall|aggregate|aggregate3|aggregate3Value|tryAggregate|execTransaction|execute|upgradeToAndCall)$/;

const MOST_DEPTH = 4;
const MOST_LINES = 24;

const SELECTOR = /^0x[0-9a-f]{8}/i;

/** Describes the data of a call by the functions of ABIs; undefined if the data is shorter than a selector. */
export function describeCall(data: string, abis: readonly Abi[]): DescribedCall | undefined {
  if (!SELECTOR.test(data)) return undefined;
  const found = decodeCall(data, abis);
  if (found.length === 0) return { lines: [unknownText(data, abis)], isWhole: false };
  const lines = boundedLines(found, abis);
  const isCut = lines.some((line) => line.includes("…"));
  return { lines, isWhole: found.length === 1 && !isCut && found[0]?.trailing === 0 };
}

/** Describes data on one line; data that no function fits as its selector. */
export function callText(data: string, abis: readonly Abi[]): string | undefined {
  const [selector] = SELECTOR.exec(data) ?? [];
  if (selector === undefined) return undefined;
  const [first, ...more] = boundedLines(decodeCall(data, abis), abis);
  if (first === undefined) return selector.toLowerCase();
  return first + more.map((line) => (line.startsWith("or ") ? ` ${line}` : `; ${line}`)).join("");
}

function boundedLines(found: readonly Decoded[], abis: readonly Abi[]): string[] {
  const lines = listLines(found, abis, "call ");
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} lines more`] : lines;
}

function unknownText(data: string, abis: readonly Abi[]): string {
  const selector = data.slice(0, 10).toLowerCase();
  const same = abis.flatMap(({ functions }) => functions).find((item) => item.selector === selector);
  if (!same) return `unknown function ${selector}`;
  return `${selector}, as in ${same.signature}, but the arguments do not fit`;
}

/** @param prefix how the calls inside it are numbered */
function listLines(found: readonly Decoded[], abis: readonly Abi[], prefix: string, depth = 1): string[] {
  return found.flatMap((decoded, index) => {
    const inner = depth < MOST_DEPTH ? innerCalls(decoded, abis) : [];
    const numberOf = new Map(inner.map(({ path }, at) => [path, `${prefix}${at + 1}`]));
    const text = decodedText(
      decoded,
      (value, path) => numberOf.get(path.join()) ?? unlimitedText(decoded.item, value, path),
    );
    return [
      `${index === 0 ? "" : "or "}${text}${trailingText(decoded)}`,
      ...unlimitedLines(decoded),
      ...inner.flatMap(({ path, calls }) => {
        const label = numberOf.get(path) ?? "";
        const [first = "", ...more] = listLines(calls, abis, `${label}.`, depth + 1);
        return [`${label}: ${first}`, ...more];
      }),
    ];
  });
}

function trailingText({ trailing }: Decoded): string {
  return trailing === 0 ? "" : ` and ${counted(trailing, "byte")} after the arguments`;
}

function innerCalls({ item, args }: Decoded, abis: readonly Abi[]): { path: string; calls: readonly Decoded[] }[] {
  if (!CARRIES.test(item.name)) return [];
  return bytesIn({ kind: "tuple", members: item.inputs }, args, []).flatMap(({ path, data }) => {
    const calls = decodeCall(data, abis);
    return calls.length > 0 ? [{ path, calls }] : [];
  });
}

function bytesIn(
  type: AbiType,
  value: AbiValue | undefined,
  path: readonly number[],
): { path: string; data: string }[] {
  if (type.kind === "bytes" && type.size === undefined) return [{ path: path.join(), data: String(value) }];
  if (typeof value !== "object") return [];
  const typeAt = (index: number) => (type.kind === "array" ? type.item : listMembers(type)[index]?.type);
  return value.flatMap((each, index) => {
    const inner = typeAt(index);
    return inner ? bytesIn(inner, each, [...path, index]) : [];
  });
}

function listMembers(type: AbiType): readonly AbiParameter[] {
  return type.kind === "tuple" ? type.members : [];
}

/** Functions that let another account spend tokens. */
const APPROVES = /^(?:approve|permit|increaseAllowance|increaseApproval)$/;
/** Amounts above any supply: some callers subtract a little from the largest. */
const BEYOND_ANY_SUPPLY = 2n ** 128n;

/** Returns the words for an amount that is without limit. Permit2 has amounts of 160 bits. */
function unlimitedText({ name, inputs }: AbiItem, value: AbiValue, path: readonly number[]): string | undefined {
  if (!APPROVES.test(name) || typeof value !== "bigint") return undefined;
  const { name: field = "", type } =
    path.reduce<AbiParameter | undefined>(
      (parameter, index) => (parameter ? listMembers(parameter.type)[index] : undefined),
      { name: "", type: { kind: "tuple", members: inputs } },
    ) ?? {};
  if (type?.kind !== "uint" || type.bits < 96 || /deadline|nonce|expir/i.test(field)) return undefined;
  if (value === 2n ** BigInt(type.bits) - 1n) return `unlimited (2^${type.bits}-1)`;
  return value >= BEYOND_ANY_SUPPLY ? `practically unlimited (${value})` : undefined;
}

/** Returns what a call without an amount allows without limit. */
function unlimitedLines({ item: { name, inputs }, args }: Decoded): string[] {
  const at = inputs.findIndex(({ type }) => type.kind === "bool");
  const isApproval = name === "setApprovalForAll" || (name === "permit" && inputs[at]?.name === "allowed");
  if (!isApproval || args[at] !== true) return [];
  return ["unlimited: the approved account can transfer every token of this contract"];
}
