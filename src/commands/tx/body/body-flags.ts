import type { App } from "../../../app.ts";
import { type NamedCoin, namedCoinAmount } from "../../../coins/named-coins.ts";
import type { Call } from "../../../command-support/call.ts";
import { bodyFileSources, readBodyFile } from "../../../command-support/request-body/body-file.ts";
import { type Currency, GAS_PRICE, LEAST_BARE_GWEI, STROOPS, WEI } from "../../../contract/amount.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import { integerFlag, nullableTextFlag, type Problems } from "../../../contract/problems.ts";
import { omitNulls, spelledInteger } from "../../../contract/spelling.ts";
import { DEFAULT_STELLAR_FEE, SPEEDS, TRANSFER_GAS } from "../../../contract/transaction/replacement-price.ts";
import { readInputJson } from "../../../session/input-file.ts";
import { BODY_FILE, type CommandSyntax, DIFF, type InteractiveFlag, type ParsedFlags } from "../../command.ts";
import type { CallFlags } from "../call/read-call.ts";
import { FORCE } from "../replacement/prediction-words.ts";
import { WAIT_FLAGS } from "../wait/flags.ts";

/** Flags that stand for `data`, not for a field of a body. */
const CALL_FLAGS: readonly string[] = ["call", "arg", "abi"];

function defineCallFlags(command: CommandSyntax) {
  return command
    .option(
      "--call <function>",
      "Function to call instead of --data, e.g. 'transfer(address,uint256)', or its name with --abi",
    )
    .option(
      "--arg <value>",
      "Argument of --call, in order (repeatable); integers like 25 or 1e18, lists and tuples as JSON",
      "values",
    )
    .option("--abi <file>", "ABI of --call: JSON, Foundry, or Hardhat (`-` for stdin)");
}

export function hasCallFlags(flags: CallFlags): boolean {
  return flags.call !== undefined || flags.arg !== undefined || flags.abi !== undefined;
}

export function requireBodyContract(problems: Problems, flags: CallFlags, named: readonly string[]): void {
  if (hasCallFlags(flags) && !named.includes("to"))
    problems.add("--call", "requires --to: the address of the contract");
}

export const MEMO_TYPES = ["none", "text", "id", "hash", "return"];

/** Parses `--memo TYPE[:VALUE]`: `none`, `text:hello`, `id:7`, or `hash:` and `return:` with hex (interface 3.4). */
function parseMemo(problems: Problems, text: string): JsonObject | undefined {
  const at = text.indexOf(":");
  const type = at < 0 ? text : text.slice(0, at);
  const value = at < 0 ? undefined : text.slice(at + 1);
  const problem = memoProblem(type, value);
  if (problem) {
    problems.add("--memo", problem, text);
    return undefined;
  }
  if (value === undefined) return { type };
  if (type === "id") return { type, value: BigInt(value) };
  return { type, value: type === "text" ? value : [...Buffer.from(value, "hex")] };
}

function memoProblem(type: string, value: string | undefined): string | undefined {
  if (!MEMO_TYPES.includes(type)) return `its type must be one of ${MEMO_TYPES.join(", ")}`;
  if (type === "none") return value === undefined ? undefined : "none does not take a value";
  if (value === undefined) return `needs a value: ${type}:VALUE`;
  if (type === "id" && !/^[0-9]+$/.test(value)) return "an id must be a whole number from 0";
  if ((type === "hash" || type === "return") && !/^[0-9a-f]{64}$/i.test(value)) return `a ${type} has 64 hex digits`;
  return undefined;
}

/** Fields that may not be null in an EVM replacement (interface 3.1), but count as absent there (facts 5.3). */
const NEVER_NULL = ["to", "data", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "speed"];

/** A transaction's body flags, which a command defines as its request needs. False is `--no-x`, which sends null. */
export type BodyFlags = ParsedFlags<typeof defineSentBody | typeof defineReplacementBody | typeof defineSponsoredBody> &
  InteractiveFlag;

export type TypedBody = Awaited<ReturnType<typeof bodyFromFlags>>;

/** @param read parses a text: `givenTextFlag` if a command has no `--no-x` */
export async function bodyFromFlags(
  { app, flags }: Pick<Call<BodyFlags>, "app" | "flags">,
  problems: Problems,
  read: TextReader = nullableTextFlag,
) {
  const text = (flag: string, given: string | false | undefined) => read(problems, flag, given);
  const asWritten = await readBodyFile(app, flags.file);
  const isStellar = (asWritten.fields.network ?? flags.network) !== undefined;
  const neverNull = isStellar ? NEVER_NULL : [...NEVER_NULL, "valid_until"];
  const file = { ...asWritten, fields: inInterfaceSpelling(asWritten.fields, neverNull) };
  const listed = async (flag: string, given: string | false | undefined) => {
    const path = text(flag, given);
    return typeof path === "string" ? await problems.gather(() => readInputJson(app, path)) : path;
  };
  const coins: NamedCoin[] = [];
  const amount = (flag: string, typed: string | undefined, currency: Currency) => {
    const found = namedCoinAmount(problems, flag, typed, currency);
    if (found?.coin !== undefined && typed !== undefined) coins.push({ flag, text: typed, coin: found.coin });
    return found?.amount;
  };
  const addressed = await withAddresses(app, flags, problems);
  const evm = evmFields(flags, problems, text, amount);
  const fromFlags = presentFields({
    ...evm,
    ...stellarFields(addressed, problems, text, amount),
    operations: await listed("operations", flags.operations),
    instructions: await listed("instructions", flags.instructions),
    ...plainFields(addressed),
    ...(hasCallFlags(flags) && {
      data: await (await import("../call/read-call.ts")).readCall(app, flags, problems, evm.value),
    }),
  });
  const sourceOf = bodyFileSources(fromFlags, file);
  return {
    body: omitNulls({ ...file.fields, ...fromFlags }, neverNull),
    named: [...Object.keys(file.fields), ...namedBy(flags)],
    coins,
    sourceOf: (path: string) => (path === "data" && hasCallFlags(flags) ? "--call" : sourceOf(path)),
  };
}

/** May be a label without its `@`: EVM addresses begin with 0x, and Stellar's are longer. */
const MAY_BE_LABEL = /^(?!0x).{1,44}$/;

async function withAddresses(app: App, flags: BodyFlags, problems: Problems): Promise<BodyFlags> {
  const readAddress = async <T extends string | false>(where: string, kind: NetworkKind, typed: T) => {
    if (typed === false || !MAY_BE_LABEL.test(typed)) return typed;
    const { labeledAddress: labelledAddress } = await import("../../../session/labels.ts");
    return await labelledAddress(app, problems, { where, kind }, typed);
  };
  const { to, sourceAccount } = flags;
  return {
    ...flags,
    ...(to !== undefined && { to: await readAddress("--to", "evm", to) }),
    ...(sourceAccount !== undefined && {
      sourceAccount: await readAddress("--source-account", "stellar", sourceAccount),
    }),
  };
}

function inInterfaceSpelling(fields: JsonObject, neverNull: readonly string[]): JsonObject {
  const { value } = fields;
  return { ...omitNulls(fields, neverNull), ...(value !== undefined && { value: spelledInteger(value) }) };
}

type TextReader = (problems: Problems, flag: string, given: string | false | undefined) => string | null | undefined;
type ReadText = (flag: string, given: string | false | undefined) => string | null | undefined;
type ReadAmount = (flag: string, given: string | undefined, currency: Currency) => bigint | undefined;
type Fields = Record<string, JsonValue | undefined>;

function evmFields(flags: BodyFlags, problems: Problems, text: ReadText, amount: ReadAmount): Fields {
  const gas = text("gas-limit", flags.gasLimit);
  return {
    value: amount("--value", flags.value, WEI),
    gas_limit: gas === null ? null : integerFlag(problems, "--gas-limit", gas, "a whole number of gas"),
    gas_price: amount("--gas-price", flags.gasPrice, GAS_PRICE),
    max_fee_per_gas: amount("--max-fee-per-gas", flags.maxFeePerGas, GAS_PRICE),
    max_priority_fee_per_gas: amount("--max-priority-fee-per-gas", flags.maxPriorityFeePerGas, GAS_PRICE),
  };
}

function stellarFields(flags: BodyFlags, problems: Problems, text: ReadText, amount: ReadAmount): Fields {
  const memo = text("memo", flags.memo);
  const maxFee = text("max-fee", flags.maxFee);
  return {
    source_account: text("source-account", flags.sourceAccount),
    transaction_xdr: text("transaction-xdr", flags.transactionXdr),
    memo: typeof memo === "string" ? parseMemo(problems, memo) : memo,
    fee_bump: flags.feeBump,
    max_fee: typeof maxFee === "string" ? amount("--max-fee", maxFee, STROOPS) : maxFee,
    valid_until: text("valid-until", flags.validUntil),
  };
}

function plainFields(flags: BodyFlags): Fields {
  const { to, data, speed, transaction, network, signedAuthEntry: signed_auth_entry, feeToken: fee_token } = flags;
  return { to, data, speed, transaction, network, signed_auth_entry, fee_token };
}

function presentFields(fields: Fields): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

const NO_FIELDS = ["toRelayer", "networkType", "file", "interactive", "diff", "inherit", ...WAIT_FLAGS, ...CALL_FLAGS];

function namedBy(flags: BodyFlags): string[] {
  const typed = Object.keys(flags).filter((flag) => !NO_FIELDS.includes(flag));
  const fields = typed.map((flag) => flag.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const addressed = "toRelayer" in flags && !fields.includes("to") ? [...fields, "to"] : fields;
  return hasCallFlags(flags) && !fields.includes("data") ? [...addressed, "data"] : addressed;
}

const OPERATIONS = [
  "--operations <file>",
  "Read a JSON list of operations from a file (`-` for stdin); not with --transaction-xdr",
] as const;

const MAX_FEE = [
  "--max-fee <amount>",
  `Highest fee, e.g. 0.1xlm, or digits for stroops (default: ${groupDigits(String(DEFAULT_STELLAR_FEE))} stroops)`,
] as const;

export function defineSentBody(command: CommandSyntax) {
  return command
    .optionsGroup("EVM (price: speed, gas price, or fee and tip)")
    .option("--to <address>", "Receiver (checksum verified); omit to create a contract")
    .option("--to-relayer <id>", "Receiver: the address of this relayer, which is shown")
    .option(
      "--value <amount>",
      "Amount, e.g. 0.01eth (or the network's own coin) or 80gwei, or digits for wei (required for EVM, even if 0)",
    )
    .option("--data <hex>", "Call data, or the code of a contract")
    .include(defineCallFlags)
    .choice("--speed <speed>", "Speed; sets the price", SPEEDS)
    .option("--gas-price <amount>", `Legacy gas price, e.g. 30gwei (below ${LEAST_BARE_GWEI} gwei with a unit)`)
    .option("--max-fee-per-gas <amount>", "EIP-1559 price, e.g. 30gwei; requires the tip")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip, e.g. 2gwei")
    .option("--gas-limit <gas>", "Gas limit (default: an estimate by the service's node)")
    .option("--valid-until <time>", "Expires: RFC 3339 with a zone; Stellar: or Unix seconds")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .option("--instructions <file>", "Read a JSON list of instructions from a file (`-` for stdin)")
    .optionsGroup("Stellar")
    .option("--network <name>", "Network name (required for Stellar)")
    .option("--source-account <account>", "Account that sends")
    .option(...OPERATIONS)
    .option("--transaction-xdr <base64>", "Built transaction; if signed, requires --fee-bump")
    .option("--memo <type[:value]>", "Memo: none, text:WORDS, id:7, or hash:HEX or return:HEX with 64 hex digits")
    .option("--fee-bump", "Wrap a signed --transaction-xdr in a fee bump")
    .option(...MAX_FEE)
    .option("--signed-auth-entry <base64>", "Authorization entry that a user signed for a built --transaction-xdr")
    .optionsGroup("Request")
    .choice("--network-type <type>", "Network type, if several fit", NETWORK_KINDS)
    .option(...BODY_FILE);
}

export function defineReplacementBody(command: CommandSyntax) {
  return command
    .optionsGroup("EVM")
    .option("--to <address>", "Receiver: 20 bytes of hex, with the checksum verified")
    .option(
      "--value <amount>",
      "Amount, e.g. 0.25eth (or the network's own coin) or 80gwei, or digits for wei (required for EVM without --inherit)",
    )
    .option("--data <hex>", "Call data; requires --gas-limit")
    .include(defineCallFlags)
    .option("--gas-limit <gas>", `Gas limit (default: ${TRANSFER_GAS}, set by the service when it signs)`)
    .option("--no-gas-limit", "Send null")
    .option("--gas-price <amount>", `Legacy gas price, e.g. 30gwei (below ${LEAST_BARE_GWEI} gwei with a unit)`)
    .option("--max-fee-per-gas <amount>", "EIP-1559 price, e.g. 30gwei")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip, e.g. 2gwei")
    .choice("--speed <speed>", "Speed; sets the price", SPEEDS)
    .option("--valid-until <time>", "Expiration time in RFC 3339 with a zone; Stellar also takes Unix seconds")
    .option("--no-valid-until", "Send none")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .include(defineReplacementStellar)
    .optionsGroup("Request")
    .choice("--network-type <type>", "Network type, if several fit", NETWORK_KINDS)
    .option("--inherit", "Copy --to, --value, --data, and --gas-limit from the transaction unless specified (EVM only)")
    .option(...FORCE)
    .option(...BODY_FILE)
    .option(...DIFF);
}

function defineReplacementStellar(command: CommandSyntax) {
  return command
    .optionsGroup("Stellar")
    .option("--network <name>", "Network name (required for Stellar)")
    .option("--source-account <account>", "Account that sends")
    .option("--no-source-account", "Send null")
    .option(...OPERATIONS)
    .option("--no-operations", "Send null")
    .option("--transaction-xdr <base64>", "Built transaction, signed or not")
    .option("--no-transaction-xdr", "Send null")
    .option("--memo <type[:value]>", "Memo: none, text:WORDS, id:7, or hash:HEX or return:HEX with 64 hex digits")
    .option("--no-memo", "Send null")
    .option("--fee-bump", "Wrap a signed --transaction-xdr in a fee bump")
    .option("--no-fee-bump", "Send false")
    .option(...MAX_FEE)
    .option("--no-max-fee", "Send null");
}

export function defineSponsoredBody(command: CommandSyntax) {
  return command
    .optionsGroup("Fee")
    .option(
      "--fee-token <token>",
      "Fee token: a mint on Solana; native, CODE:ISSUER, or a contract on Stellar (required)",
    )
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .optionsGroup("Stellar")
    .option("--transaction-xdr <base64>", "Built transaction")
    .option(
      "--operations <file>",
      "Read a JSON list of operations from a file (`-` for stdin); requires --source-account",
    )
    .option("--source-account <account>", "Account that sends")
    .optionsGroup("Request")
    .choice("--network-type <type>", "Network type, if several fit", ["solana", "stellar"])
    .option(...BODY_FILE);
}
