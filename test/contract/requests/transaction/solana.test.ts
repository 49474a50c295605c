import { transactionSchemas } from "../../../../src/contract/requests.ts";
import { issuesOf } from "../../issues.ts";
import { SERIALIZED } from "../../solana-transaction.ts";

const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

const issues = (body: unknown) => issuesOf(transactionSchemas.solana, JSON.stringify(body));
const account = (pubkey: string) => ({ pubkey, is_signer: false, is_writable: true });
const instruction = (fields: object = {}) => ({
  program_id: TOKEN,
  accounts: [account(MEMO)],
  data: "AQI=",
  ...fields,
});
const withInstruction = (fields: object) => issues({ instructions: [instruction(fields)] });
/** Addresses that differ in their last character. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    return `${MEMO.slice(0, -2)}${digits[Math.floor(index / 58)]}${digits[index % 58]}`;
  });

describe("a transaction or instructions", () => {
  test.each([
    { transaction: SERIALIZED },
    { transaction: SERIALIZED, instructions: [], valid_until: "2030-01-01T00:00:00Z" },
    { transaction: null, instructions: [instruction()] },
  ])("%j is accepted", (body) => expect(issues(body)).toEqual([]));

  test.each([
    [
      { transaction: SERIALIZED, instructions: [instruction()] },
      "transaction: Cannot provide both transaction and instructions",
    ],
    [{}, "transaction: Must provide either transaction or instructions"],
    [{ instructions: [] }, "transaction: Must provide either transaction or instructions"],
    [{ transaction: "not base64" }, "transaction: Failed to decode transaction: it is not base64"],
    [{ instructions: {} }, "instructions: a list of instructions"],
    [{ transaction: SERIALIZED, network: "x" }, ": unknown network"],
  ])("%j is refused", (body, issue) => expect(issues(body)).toEqual([issue]));
});

describe("an instruction", () => {
  test.each([
    [{ program_id: "" }, "instructions.0.program_id: program_id cannot be empty"],
    [{ program_id: "0OIl" }, "instructions.0.program_id: Invalid program_id '0OIl' - needs 32 to 44 base58 characters"],
    [
      { program_id: MEMO.slice(0, -1) },
      `instructions.0.program_id: Invalid program_id '${MEMO.slice(0, -1)}' - needs 32 bytes in base58, not 31`,
    ],
    [{ program_id: "1".repeat(32) }, "instructions.0.program_id: program_id cannot be default pubkey"],
    [{ accounts: [account("")] }, "instructions.0.accounts.0.pubkey: pubkey cannot be empty"],
    [
      { accounts: [account("x".repeat(45))] },
      `instructions.0.accounts.0.pubkey: Invalid pubkey '${"x".repeat(45)}' - needs 32 to 44 base58 characters`,
    ],
    [
      { accounts: Array(65).fill(account(MEMO)) },
      "instructions.0.accounts: Too many accounts 65 exceeds maximum of 64",
    ],
    [{ data: "AQ" }, "instructions.0.data: Invalid base64 data - it is not base64 with its padding"],
    [
      { data: Buffer.alloc(1233).toString("base64") },
      "instructions.0.data: Data too large (1233 bytes, max: 1232 bytes)",
    ],
    [{ memo: 1 }, "instructions.0: unknown memo"],
  ])("%j is refused", (fields, issue) => expect(withInstruction(fields)).toEqual([issue]));

  test("may have the maximum size", () => {
    expect(withInstruction({ accounts: Array(64).fill(account(MEMO)) })).toEqual([]);
    expect(withInstruction({ data: Buffer.alloc(1232).toString("base64") })).toEqual([]);
  });

  test("may be one of up to 64", () => {
    expect(issues({ instructions: Array(64).fill(instruction()) })).toEqual([]);
    expect(issues({ instructions: Array(65).fill(instruction()) })).toEqual([
      "instructions: Too many instructions: 65 exceeds maximum of 64",
    ]);
  });

  test("may bring the accounts to 64 in total", () => {
    const spread = (count: number) => {
      const accounts = addresses(count).map(account);
      return {
        instructions: [instruction({ accounts: accounts.slice(0, 33) }), instruction({ accounts: accounts.slice(33) })],
      };
    };
    expect(issues(spread(64))).toEqual([]);
    expect(issues(spread(65))).toEqual(["instructions: Too many unique accounts: 65 exceeds Solana's limit of 64"]);
  });
});
