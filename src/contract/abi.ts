import { nearestChoice } from "../nearest.ts";
import { type Decoded, decodeAbiCall } from "./abi/decode.ts";
import { type Abi, type AbiItem, abiSignatureItem } from "./abi/item.ts";
import { AbiError, type AbiParameter, type AbiType, type AbiValue, abiTypeText } from "./abi/type.ts";
import { addressProblem, hexBytesProblem } from "./address.ts";
import { decimalOf, isNumber, pluralize } from "./decimal.ts";
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson } from "./json.ts";

/** Functions by the standard, or the contract that nearly everyone uses, with the names that they have there. */
const FUNCTIONS = [
  // ERC-20 and ERC-721 share two signatures: there, a number is an amount or the ID of a token.
  "transfer(address to, uint256 amount)",
  "transferFrom(address from, address to, uint256 amountOrId)",
  "approve(address spender, uint256 amountOrId)",
  "increaseAllowance(address spender, uint256 addedAmount)",
  "decreaseAllowance(address spender, uint256 subtractedAmount)",
  "mint(address to, uint256 amount)",
  "burn(uint256 amount)",
  "burnFrom(address account, uint256 amount)",
  "permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "permit(address owner, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)",
  "transferWithAuthorization(address from, address to, uint256 amount, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "deposit()",
  "withdraw(uint256 amount)",
  // ERC-721 and ERC-1155
  "safeTransferFrom(address from, address to, uint256 tokenId)",
  "safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
  "setApprovalForAll(address operator, bool approved)",
  "safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)",
  "safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)",
  // ERC-4626
  "deposit(uint256 assets, address receiver)",
  "mint(uint256 shares, address receiver)",
  "withdraw(uint256 assets, address receiver, address owner)",
  "redeem(uint256 shares, address receiver, address owner)",
  // Permit2
  "approve(address token, address spender, uint160 amount, uint48 expiration)",
  "permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)",
  "transferFrom(address from, address to, uint160 amount, address token)",
  // Several calls in one
  "multicall(bytes[] data)",
  "multicall(uint256 deadline, bytes[] data)",
  "multicall(bytes32 previousBlockhash, bytes[] data)",
  "aggregate((address target, bytes callData)[] calls)",
  "tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)",
  "aggregate3((address target, bool allowFailure, bytes callData)[] calls)",
  "aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)",
  "execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "execute(address target, uint256 value, bytes data)",
  // Ownership, roles, upgrades
  "transferOwnership(address newOwner)",
  "renounceOwnership()",
  "acceptOwnership()",
  "grantRole(bytes32 role, address account)",
  "revokeRole(bytes32 role, address account)",
  "renounceRole(bytes32 role, address account)",
  "upgradeTo(address newImplementation)",
  "upgradeToAndCall(address newImplementation, bytes data)",
  "pause()",
  "unpause()",
];

/** Errors of ERC-6093 and of the contracts that nearly everyone uses. */
const ERRORS = [
  "ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "ERC20InvalidSender(address sender)",
  "ERC20InvalidReceiver(address receiver)",
  "ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "ERC20InvalidApprover(address approver)",
  "ERC20InvalidSpender(address spender)",
  "ERC721InvalidOwner(address owner)",
  "ERC721NonexistentToken(uint256 tokenId)",
  "ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)",
  "ERC721InvalidSender(address sender)",
  "ERC721InvalidReceiver(address receiver)",
  "ERC721InsufficientApproval(address operator, uint256 tokenId)",
  "ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)",
  "ERC1155InvalidReceiver(address receiver)",
  "ERC1155MissingApprovalForAll(address operator, address owner)",
  "ERC2612ExpiredSignature(uint256 deadline)",
  "ERC2612InvalidSigner(address signer, address owner)",
  "ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)",
  "ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)",
  "ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)",
  "OwnableUnauthorizedAccount(address account)",
  "OwnableInvalidOwner(address owner)",
  "AccessControlUnauthorizedAccount(address account, bytes32 neededRole)",
  "EnforcedPause()",
  "ExpectedPause()",
  "ReentrancyGuardReentrantCall()",
  "SafeERC20FailedOperation(address token)",
  "InsufficientBalance(uint256 balance, uint256 needed)",
  "FailedCall()",
];

/** Returns the items of well-known standards. Parsing takes some milliseconds. */
export function standardAbi(): Abi {
  return { functions: FUNCTIONS.map(abiSignatureItem), errors: ERRORS.map(abiSignatureItem) };
}

/** The most shown characters of a text, digits of bytes, and items of a list; numbers and addresses are whole. */
const MOST_CHARACTERS = 200;
const MOST_DIGITS = 130;
const MOST_ITEMS = 16;

/** Replaces a value in the text, e.g. bytes of an inner call; undefined leaves it. */
type Replace = (value: AbiValue, path: readonly number[]) => string | undefined;

/** Returns a call or an error on one safe line: `transfer(to 0x3c44…, amount 25)`. */
export function abiDecodedText(
  { item, args }: Pick<Decoded, "item" | "args">,
  replace: Replace = () => undefined,
): string {
  return `${item.name}(${membersText(item.inputs, args, [], replace)})`;
}

function membersText(
  members: readonly AbiParameter[],
  values: readonly AbiValue[],
  path: readonly number[],
  replace: Replace,
): string {
  const texts = members.map(({ name, type }, index) => {
    const text = valueText(type, values[index] ?? "", [...path, index], replace);
    return name === "" ? text : `${visibleText(name)} ${text}`;
  });
  return texts.join(", ");
}

function valueText(
  type: AbiType,
  value: AbiValue,
  path: readonly number[] = [],
  replace: Replace = () => undefined,
): string {
  const instead = replace(value, path);
  if (instead !== undefined) return instead;
  if (typeof value === "object") {
    if (type.kind === "tuple") return `(${membersText(type.members, value, path, replace)})`;
    const item = type.kind === "array" ? type.item : type;
    const shown = value.slice(0, MOST_ITEMS).map((each, index) => valueText(item, each, [...path, index], replace));
    return `[${[...shown, ...(value.length > MOST_ITEMS ? [`… ${value.length - MOST_ITEMS} more`] : [])].join(", ")}]`;
  }
  if (type.kind === "string") return quoteText(String(value));
  if (type.kind === "bytes") return bytesText(String(value));
  return String(value);
}

function quoteText(text: string): string {
  const shown = [...text.slice(0, MOST_CHARACTERS)].join("");
  const rest = text.length - shown.length;
  return `"${visibleText(shown)}"${rest > 0 ? `… ${rest} more characters` : ""}`;
}

function bytesText(hex: string): string {
  if (hex.length <= MOST_DIGITS) return hex;
  return `${hex.slice(0, MOST_DIGITS)}… ${(hex.length - 2) / 2} bytes`;
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}"\\]/gu;

function visibleText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

export { encodeAbiValues } from "./abi/codec.ts";
export { decodeAbiCall, decodeAbiRevert } from "./abi/decode.ts";
export { type Abi, type AbiItem, readAbi } from "./abi/item.ts";
export { AbiError, type AbiParameter, type AbiType, type AbiValue, abiTypeText } from "./abi/type.ts";

/** Returns the function that a user means, by signature or known name. @throws AbiError if none or several */
export function chooseAbiFunction(typed: string, abi: Abi | undefined): AbiItem {
  const isName = /^[A-Za-z_$][\w$]*$/.test(typed);
  if (!abi) return isName ? refuseBareName(typed) : abiSignatureItem(typed);
  const same = isName ? undefined : abiSignatureItem(typed).signature;
  const found = abi.functions.filter(({ name, signature }) => (isName ? name === typed : signature === same));
  const [one, ...others] = found;
  if (!one) {
    const known = abi.functions.map(({ name, signature }) => (isName ? name : signature));
    throw new AbiError(`is not a function of the ABI${nearestChoice([typed], [...new Set(known)])}`);
  }
  if (others.length > 0)
    throw new AbiError(`has several signatures; specify one of ${found.map(({ signature }) => signature).join(", ")}`);
  return one;
}

/** A bare name could be anything; a well-known function may be meant. */
function refuseBareName(name: string): never {
  const known = standardAbi().functions.filter((item) => item.name === name);
  const meant = known.map(({ signature }) => signature).join(", ") || "transfer(address,uint256)";
  throw new AbiError(`needs the types of its parameters, e.g. ${meant}, or --abi`);
}

/** The problem of an argument, and its place in it: `[2].amount`. */
interface ArgumentProblem {
  path: string;
  rule: string;
}

const MOST_PROBLEMS = 5;

type LabelLookup = (typed: string) => { address: string } | { rule: string };

export type ReadArgument = { value: AbiValue } | { problems: ArgumentProblem[] };

/** Reads a typed argument: a text, or JSON for a list or tuple. Integers are exact. Addresses may be labels. */
export function readAbiArgument(type: AbiType, text: string, lookUp: LabelLookup): ReadArgument {
  const problems: ArgumentProblem[] = [];
  const value = readValue(type, type.kind === "array" || type.kind === "tuple" ? toJson(type, text, problems) : text);
  return problems.length > 0 ? { problems: problems.slice(0, MOST_PROBLEMS) } : { value: value ?? "" };

  function readValue(expected: AbiType, given: JsonValue | undefined, path = ""): AbiValue | undefined {
    if (given === undefined) return undefined;
    if (expected.kind === "array") return readList(expected, given, path);
    if (expected.kind === "tuple") return readTuple(expected.members, given, path);
    const found = parseScalar(expected, given, lookUp);
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
      if (!Object.hasOwn(given, name)) return refuse(at, `is missing; it is ${abiTypeText(type)}`);
      return readValue(type, given[name], at) ?? "";
    });
  }

  function refuse(path: string, rule: string): AbiValue {
    problems.push({ path, rule });
    return "";
  }
}

function toJson(type: AbiType, text: string, problems: ArgumentProblem[]): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const rule = `needs JSON for ${abiTypeText(type)}, e.g. ${exampleAbiValue(type)}: ${error.message}`;
    problems.push({ path: "", rule });
    return undefined;
  }
}

type Scalar = Exclude<AbiType, { kind: "array" | "tuple" }>;

function parseScalar(type: Scalar, given: JsonValue, lookUp: LabelLookup): { value: AbiValue } | { rule: string } {
  if (type.kind === "uint" || type.kind === "int") return parseInteger(type, integerText(given));
  if (type.kind === "bool") return parseBoolean(given);
  if (typeof given !== "string") return { rule: `needs a text in quotes for ${abiTypeText(type)}` };
  if (type.kind === "string") return given.isWellFormed() ? { value: given } : { rule: "has half a character" };
  if (type.kind === "address") return parseAddressValue(given, lookUp);
  const rule = bytesProblem(given, "size" in type ? type.size : undefined);
  return rule === undefined ? { value: given.toLowerCase() } : { rule };
}

function parseAddressValue(given: string, lookUp: LabelLookup): { value: AbiValue } | { rule: string } {
  const found = given.startsWith("@") ? lookUp(given) : { address: given };
  if ("rule" in found) return found;
  const rule = addressProblem(found.address);
  return rule === undefined ? { value: found.address.toLowerCase() } : { rule };
}

function parseBoolean(given: JsonValue): { value: AbiValue } | { rule: string } {
  const word = String(given);
  return word === "true" || word === "false" ? { value: word === "true" } : { rule: "needs true or false" };
}

function integerText(given: JsonValue): string {
  if (isNumber(given)) return String(given);
  return typeof given === "string" ? given.replace(/(?<=[0-9])_(?=[0-9])/g, "") : "";
}

function parseInteger(type: Scalar & { bits: number }, text: string): { value: AbiValue } | { rule: string } {
  const { units, scale } = decimalOf(text) ?? { units: 0n, scale: Number.NaN };
  const unit = 10n ** BigInt(scale || 0);
  if (Number.isNaN(scale) || units % unit !== 0n)
    return { rule: `needs a whole number for ${abiTypeText(type)}, e.g. 25 or 1e18` };
  const value = units / unit;
  const isSigned = type.kind === "int";
  const most = 2n ** BigInt(isSigned ? type.bits - 1 : type.bits) - 1n;
  const least = isSigned ? -most - 1n : 0n;
  if (value >= least && value <= most) return { value };
  const range = isSigned ? `-2^${type.bits - 1} to 2^${type.bits - 1}-1` : `0 to 2^${type.bits}-1`;
  return { rule: `is out of range for ${abiTypeText(type)} (${range})` };
}

function bytesProblem(text: string, size: number | undefined): string | undefined {
  const problem = hexBytesProblem(text);
  const bytes = (text.length - 2) / 2;
  if (problem !== undefined || size === undefined || bytes === size) return problem;
  return `needs ${size} bytes (${2 * size} hex digits), has ${bytes}`;
}

export function exampleAbiValue(type: AbiType): string {
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
  return isText ? `"${exampleAbiValue(type)}"` : exampleAbiValue(type);
}

const EXAMPLES = {
  address: "@treasury",
  bool: "true",
  string: "text",
  uint: "25",
  int: "-25",
};

export interface DescribedCall {
  /** The call, its inner calls, and unlimited amounts. Safe to print. */
  lines: string[];
  isWhole: boolean;
}

/** Functions whose bytes are calls of contracts. */
const CARRIES =
  /^(?:multicall|aggregate|aggregate3|aggregate3Value|tryAggregate|execTransaction|execute|upgradeToAndCall)$/;

const MOST_DEPTH = 4;
const MOST_LINES = 24;

const SELECTOR = /^0x[0-9a-f]{8}/i;

/** Describes a call's data by the functions of ABIs; undefined for data shorter than a selector. */
export function describeAbiCall(data: string, abis: readonly Abi[]): DescribedCall | undefined {
  if (!SELECTOR.test(data)) return undefined;
  const found = decodeAbiCall(data, abis);
  if (found.length === 0) return { lines: [unknownText(data, abis)], isWhole: false };
  const lines = boundedLines(found, abis);
  const isCut = lines.some((line) => line.includes("…"));
  return { lines, isWhole: found.length === 1 && !isCut && found[0]?.trailing === 0 };
}

/** Describes data on one line, or by its selector if no function fits. */
export function abiCallText(data: string, abis: readonly Abi[]): string | undefined {
  const [selector] = SELECTOR.exec(data) ?? [];
  if (selector === undefined) return undefined;
  const [first, ...more] = boundedLines(decodeAbiCall(data, abis), abis);
  if (first === undefined) return selector.toLowerCase();
  return first + more.map((line) => (line.startsWith("or ") ? ` ${line}` : `; ${line}`)).join("");
}

function boundedLines(found: readonly Decoded[], abis: readonly Abi[]): string[] {
  const lines = callLines(found, abis, "call ");
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} more lines`] : lines;
}

function unknownText(data: string, abis: readonly Abi[]): string {
  const selector = data.slice(0, 10).toLowerCase();
  const same = abis.flatMap(({ functions }) => functions).find((item) => item.selector === selector);
  if (!same) return `unknown function ${selector}`;
  return `${selector}, as in ${same.signature}, but the arguments do not fit`;
}

/** @param prefix how the calls inside it are numbered */
function callLines(found: readonly Decoded[], abis: readonly Abi[], prefix: string, depth = 1): string[] {
  return found.flatMap((decoded, index) => {
    const inner = depth < MOST_DEPTH ? innerCalls(decoded, abis) : [];
    const numberOf = new Map(inner.map(({ path }, at) => [path, `${prefix}${at + 1}`]));
    const text = abiDecodedText(
      decoded,
      (value, path) => numberOf.get(path.join()) ?? unlimitedText(decoded.item, value, path),
    );
    return [
      `${index === 0 ? "" : "or "}${text}${trailingText(decoded)}`,
      ...unlimitedLines(decoded),
      ...inner.flatMap(({ path, calls }) => {
        const label = numberOf.get(path) ?? "";
        const [first = "", ...more] = callLines(calls, abis, `${label}.`, depth + 1);
        return [`${label}: ${first}`, ...more];
      }),
    ];
  });
}

function trailingText({ trailing }: Decoded): string {
  return trailing === 0 ? "" : ` and ${pluralize(trailing, "byte")} after the arguments`;
}

function innerCalls({ item, args }: Decoded, abis: readonly Abi[]): { path: string; calls: readonly Decoded[] }[] {
  if (!CARRIES.test(item.name)) return [];
  return bytesIn({ kind: "tuple", members: item.inputs }, args, []).flatMap(({ path, data }) => {
    const calls = decodeAbiCall(data, abis);
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
  const typeAt = (index: number) => (type.kind === "array" ? type.item : membersOf(type)[index]?.type);
  return value.flatMap((each, index) => {
    const inner = typeAt(index);
    return inner ? bytesIn(inner, each, [...path, index]) : [];
  });
}

function membersOf(type: AbiType): readonly AbiParameter[] {
  return type.kind === "tuple" ? type.members : [];
}

const APPROVES = /^(?:approve|permit|increaseAllowance|increaseApproval)$/;
/** Amounts above any supply: some callers subtract a little from the largest. */
const BEYOND_ANY_SUPPLY = 2n ** 128n;

/** Returns the words for an unlimited amount. Permit2's amounts have 160 bits. */
function unlimitedText({ name, inputs }: AbiItem, value: AbiValue, path: readonly number[]): string | undefined {
  if (!APPROVES.test(name) || typeof value !== "bigint") return undefined;
  const { name: field = "", type } =
    path.reduce<AbiParameter | undefined>(
      (parameter, index) => (parameter ? membersOf(parameter.type)[index] : undefined),
      { name: "", type: { kind: "tuple", members: inputs } },
    ) ?? {};
  if (type?.kind !== "uint" || type.bits < 96 || /deadline|nonce|expir/i.test(field)) return undefined;
  if (value === 2n ** BigInt(type.bits) - 1n) return `unlimited (2^${type.bits}-1)`;
  return value >= BEYOND_ANY_SUPPLY ? `practically unlimited (${value})` : undefined;
}

function unlimitedLines({ item: { name, inputs }, args }: Decoded): string[] {
  const at = inputs.findIndex(({ type }) => type.kind === "bool");
  const isApproval = name === "setApprovalForAll" || (name === "permit" && inputs[at]?.name === "allowed");
  if (!isApproval || args[at] !== true) return [];
  return ["unlimited: the approved account can transfer every token of this contract"];
}
