import { withPoint } from "../amount.ts";
import { base58Text } from "../encoding/base58.ts";
import { base64Bytes } from "../encoding/base64.ts";
import { strictUtf8 } from "../encoding/utf8.ts";

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BLOCKHASH_BYTES = 32;
/** The number of required signatures, and of the read-only accounts. */
const HEADER_BYTES = 3;

/** A position in the bytes. Zeros follow their end, so one check at the end suffices. */
interface Cursor {
  bytes: Uint8Array;
  at: number;
}

/** Returns the payer of a serialized Solana transaction, its first account, if it can be decoded. */
export function solanaFeePayer(base64: string): string | undefined {
  const { firstAccount, isWhole } = decodeSolana(base64);
  return isWhole && firstAccount ? base58Text(firstAccount) : undefined;
}

/** Returns a serialized Solana transaction's instructions. An account from a table is shown by its number. */
export function solanaInstructions(base64: string): SolanaInstruction[] | undefined {
  const { accounts, instructions, isWhole } = decodeSolana(base64);
  if (!isWhole) return undefined;
  const addressAt = (index: number) => {
    const key = accounts.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES);
    return key.length === KEY_BYTES ? base58Text(key) : `account ${index} (from a table)`;
  };
  return instructions.map(({ head, lists: [indexes, data] }) => ({
    programId: addressAt(head[0] ?? 0),
    accounts: [...indexes].map(addressAt),
    data,
  }));
}

/** Returns in the service's words why it cannot use a serialized transaction (facts 5.8), or undefined. */
export function serializedSolanaProblem(base64: string): string | undefined {
  if (base64 === "" || !base64Bytes(base64)) return "Failed to decode transaction: it is not base64";
  const { firstAccount, isWhole } = decodeSolana(base64);
  if (!isWhole)
    return "Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file";
  return firstAccount ? undefined : "Transaction has no fee payer account";
}

/** Bytes of a fixed number, and two lists of bytes. */
interface Entry {
  head: Uint8Array;
  lists: [Uint8Array, Uint8Array];
}

/** Decodes signatures and a message, maybe with a version: header, accounts, blockhash, instructions, tables. */
function decodeSolana(base64: string) {
  const cursor = { bytes: base64Bytes(base64) ?? new Uint8Array(), at: 0 };
  takeBytes(cursor, compactNumber(cursor) * SIGNATURE_BYTES);
  const isVersioned = ((cursor.bytes[cursor.at] ?? 0) & 0x80) !== 0;
  takeBytes(cursor, (isVersioned ? 1 : 0) + HEADER_BYTES);
  const accounts = takeBytes(cursor, compactNumber(cursor) * KEY_BYTES);
  takeBytes(cursor, BLOCKHASH_BYTES);
  const instructions = takeEach(cursor, 1);
  if (isVersioned) takeEach(cursor, KEY_BYTES);
  return {
    accounts,
    instructions,
    firstAccount: accounts.length > 0 ? accounts.subarray(0, KEY_BYTES) : undefined,
    isWhole: cursor.at <= cursor.bytes.length,
  };
}

/** Reads entries: instructions with a program and two lists of bytes, or address tables with a key and two lists. */
function takeEach(cursor: Cursor, fixedBytes: number): Entry[] {
  const entries: Entry[] = [];
  for (let left = compactNumber(cursor); left > 0 && cursor.at < cursor.bytes.length; left--) {
    const head = takeBytes(cursor, fixedBytes);
    const first = takeBytes(cursor, compactNumber(cursor));
    entries.push({ head, lists: [first, takeBytes(cursor, compactNumber(cursor))] });
  }
  return entries;
}

function takeBytes(cursor: Cursor, count: number): Uint8Array {
  cursor.at += count;
  return cursor.bytes.subarray(cursor.at - count, cursor.at);
}

/** Reads a number of one to three bytes, seven bits in each, lowest first. */
function compactNumber(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < 3; index++) {
    const [byte = 0] = takeBytes(cursor, 1);
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) break;
  }
  return value;
}

interface SolanaInstruction {
  programId: string;
  /** Addresses, in the order of the program. */
  accounts: readonly string[];
  data: Uint8Array;
}

const SYSTEM = "11111111111111111111111111111111";
const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const ASSOCIATED_TOKEN = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const TOKEN = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];
const MEMO = ["MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"];

const SOL_DECIMALS = 9;

/** Returns what an instruction of a well-known program does, in exact form. The text may contain a user's words. */
export function solanaInstructionText({ programId, accounts, data }: SolanaInstruction): string | undefined {
  if (programId === SYSTEM) return systemText(accounts, data);
  if (programId === COMPUTE_BUDGET) return budgetText(data);
  if (programId === ASSOCIATED_TOKEN) return associatedText(accounts, data);
  if (TOKEN.includes(programId)) return tokenText(accounts, data);
  return MEMO.includes(programId) ? memoText(data) : undefined;
}

function systemText([from, to, ...more]: readonly string[], data: Uint8Array): string | undefined {
  const isTransfer = data.length === 12 && readInteger(data, 0, 4) === 2n;
  if (!isTransfer || from === undefined || to === undefined || more.length > 0) return undefined;
  return `transfer ${withPoint(readInteger(data, 4, 8), SOL_DECIMALS)} SOL from ${from} to ${to}`;
}

function budgetText(data: Uint8Array): string | undefined {
  if (data[0] === 2 && data.length === 5) return `use at most ${readInteger(data, 1, 4)} compute units`;
  if (data[0] === 3 && data.length === 9) return `pay ${readInteger(data, 1, 8)} micro-lamports for each compute unit`;
  return undefined;
}

function associatedText([payer, account, owner, mint]: readonly string[], data: Uint8Array): string | undefined {
  const isCreate = data.length === 0 || (data.length === 1 && (data[0] === 0 || data[0] === 1));
  if (!isCreate || mint === undefined) return undefined;
  const unless = data[0] === 1 ? " unless it exists" : "";
  return `create token account ${account} of ${owner} for token ${mint}${unless}, paid by ${payer}`;
}

/** The largest amount, which means no limit. */
const NO_LIMIT = 2n ** 64n - 1n;

function tokenText(accounts: readonly string[], data: Uint8Array): string | undefined {
  const [one, two, three, four] = accounts;
  const amount = data.length >= 9 ? readInteger(data, 1, 8) : 0n;
  const limit = amount === NO_LIMIT ? `unlimited (${amount})` : String(amount);
  const checked = data.length === 10 ? `${amount} (${withPoint(amount, data[9] ?? 0)} with ${data[9]} decimals)` : "";
  switch (`${data[0]} ${data.length}`) {
    case "3 9":
      return three && `transfer ${amount} smallest units of a token from ${one} to ${two}, by ${three}`;
    case "4 9":
      return three && `let ${two} spend ${limit} smallest units of the token in ${one}, by ${three}`;
    case "5 1":
      return two && `let nobody else spend the token in ${one}, by ${two}`;
    case "9 1":
      return three && `close token account ${one}, its SOL goes to ${two}, by ${three}`;
    case "12 10":
      return four && `transfer ${checked} of token ${two} from ${one} to ${three}, by ${four}`;
    default:
      return undefined;
  }
}

function memoText(data: Uint8Array): string | undefined {
  const text = strictUtf8(data);
  return text === undefined ? undefined : `memo ${text}`;
}

function readInteger(data: Uint8Array, at: number, size: number): bigint {
  return data.subarray(at, at + size).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
