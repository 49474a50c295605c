import { withPoint } from "../amount.ts";
import { strictUtf8 } from "../encoding/utf8.ts";

export interface SolanaInstruction {
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
  if (programId === COMPUTE_BUDGET) return computeBudgetText(data);
  if (programId === ASSOCIATED_TOKEN) return associatedText(accounts, data);
  if (TOKEN.includes(programId)) return tokenText(accounts, data);
  return MEMO.includes(programId) ? memoText(data) : undefined;
}

function systemText([from, to, ...more]: readonly string[], data: Uint8Array): string | undefined {
  const isTransfer = data.length === 12 && integer(data, 0, 4) === 2n;
  if (!isTransfer || from === undefined || to === undefined || more.length > 0) return undefined;
  return `transfer ${withPoint(integer(data, 4, 8), SOL_DECIMALS)} SOL from ${from} to ${to}`;
}

function computeBudgetText(data: Uint8Array): string | undefined {
  if (data[0] === 2 && data.length === 5) return `use at most ${integer(data, 1, 4)} compute units`;
  if (data[0] === 3 && data.length === 9) return `pay ${integer(data, 1, 8)} micro-lamports for each compute unit`;
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
  const amount = data.length >= 9 ? integer(data, 1, 8) : 0n;
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

function integer(data: Uint8Array, at: number, size: number): bigint {
  return data.subarray(at, at + size).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
