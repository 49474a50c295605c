import { describe, test } from "vitest";
import { SERIALIZED } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { bodyFile, expectRefused, type Rule } from "./refused.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const TYPE2 = "EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas";
const MIXED = "Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";

const EVM: readonly Rule[] = [
  [`--to ${TO} --speed fast`, "--value: missing field `value`"],
  ["--value 0 --speed fast", "--to: Both txs `to` and `data` fields are missing. At least one of them has to be set."],
  [
    `--to ${TO} --value 0 --speed fast --gas-limit 20999`,
    "gas_limit is too low, intrinsic gas is 21000 and gas_limit is",
  ],
  [`--to ${TO} --value 0 --speed fast --valid-until tomorrow`, "Invalid validUntil datetime format"],
  [`--to ${TO} --value 0 --speed fast --valid-until 2020-01-01T00:00:00Z`, "The validUntil time cannot be in the past"],
  [`--to ${TO} --value 0`, "--speed: Transaction must specify either gasPrice, speed, or EIP1559 parameters"],
  [`--to ${TO} --value 0 --speed fast --gas-price 1gwei`, MIXED],
  [`--to ${TO} --value 0 --gas-price 1gwei --max-fee-per-gas 1gwei --max-priority-fee-per-gas 1wei`, MIXED],
  [`--to ${TO} --value 0 --max-fee-per-gas 1gwei`, TYPE2],
  [`--to ${TO} --value 0 --max-priority-fee-per-gas 1gwei`, TYPE2],
  [
    `--to ${TO} --value 0 --max-fee-per-gas 1wei --max-priority-fee-per-gas 2wei`,
    "maxFeePerGas must be greater than or equal to maxPriorityFeePerGas",
  ],
  [`--to ${TO} --value ${2n ** 256n} --speed fast`, `--value ${2n ** 256n}: a whole number of wei from 0 to 2^256-1\n`],
];

const instruction = (fields: object) => ({
  instructions: [{ program_id: PROGRAM, accounts: [], data: "", ...fields }],
});
const account = (pubkey: string) => ({ pubkey, is_signer: false, is_writable: false });

const SOLANA: readonly (readonly [body: object, words: string])[] = [
  [{ transaction: SERIALIZED, ...instruction({}) }, "Cannot provide both transaction and instructions"],
  [{ instructions: [] }, "Must provide either transaction or instructions"],
  [{ transaction: "AQ" }, "Failed to decode transaction: "],
  [
    { instructions: Array(65).fill(instruction({}).instructions[0]) },
    "Too many instructions: 65 exceeds maximum of 64",
  ],
  [instruction({ program_id: "" }), "instructions.0.program_id (empty): program_id cannot be empty"],
  [instruction({ program_id: "x" }), "Invalid program_id 'x' - "],
  [instruction({ program_id: "1".repeat(32) }), "program_id cannot be default pubkey"],
  [instruction({ accounts: Array(65).fill(account(PROGRAM)) }), "Too many accounts 65 exceeds maximum of 64"],
  [instruction({ accounts: [account("")] }), "instructions.0.accounts.0.pubkey (empty): pubkey cannot be empty"],
  [instruction({ accounts: [account("x")] }), "Invalid pubkey 'x' - "],
  [instruction({ data: "?" }), "Invalid base64 data - "],
  [instruction({ data: Buffer.alloc(1233).toString("base64") }), "Data too large (1233 bytes, max: 1232 bytes)"],
  [{ ...instruction({}), valid_until: "soon" }, "valid_until must be a valid RFC3339 timestamp"],
  [{ ...instruction({}), valid_until: "2020-01-01T00:00:00Z" }, "valid_until cannot be in the past"],
];

const payment = { type: "payment", destination: ACCOUNT, amount: "1", asset: { type: "native" } };
const call = { type: "invoke_contract", contract_address: CONTRACT, function_name: "f", args: [] };

const STELLAR: readonly (readonly [body: object, words: string])[] = [
  [{ operations: [payment], transaction_xdr: envelopeXdr(0) }, "Cannot provide both operations and transaction_xdr"],
  [{}, "Must provide either operations or transaction_xdr"],
  [{ operations: [] }, "Must provide either operations or transaction_xdr"],
  [{ operations: [payment], fee_bump: true }, "Cannot request fee_bump with operations mode"],
  [{ operations: [payment], signed_auth_entry: "AAAA" }, "signed_auth_entry requires transaction_xdr to be provided"],
  [
    { transaction_xdr: envelopeXdr(1), fee_bump: true, signed_auth_entry: "AAAA" },
    "Cannot use both signed_auth_entry and fee_bump",
  ],
  [{ transaction_xdr: envelopeXdr(0), fee_bump: true }, "Cannot request fee_bump with unsigned XDR"],
  [{ transaction_xdr: envelopeXdr(1) }, "Expected unsigned XDR but received signed XDR"],
  [{ transaction_xdr: "AAAA" }, "Invalid XDR: "],
  [{ operations: Array(101).fill(payment) }, "Transaction has 101 operations, but maximum allowed is 100"],
  [{ operations: [call, call] }, "Transaction can contain at most one Soroban operation"],
  [
    { operations: [call, payment] },
    "Soroban operations must be exclusive - no other operations allowed in the same transaction",
  ],
  [{ operations: [call], memo: { type: "id", value: 1 } }, "Soroban operations cannot have a memo (except MemoNone)"],
  [{ operations: [{ ...call, auth: { type: "addresses", signers: [] } }] }, "Address-based auth not yet implemented"],
];

describe("the service's rules for transactions are checked before any request", () => {
  test.each(EVM)("EVM %s: %s", (flags, words) => expectRefused(`tx send r1 ${flags} --yes`, words));

  test.each(SOLANA)("Solana %j: %s", (body, words) =>
    expectRefused("tx send r1 --network-type solana -f body.json --yes", words, bodyFile(body)),
  );

  test.each(STELLAR)("Stellar %j: %s", (body, words) =>
    expectRefused("tx send r1 -f body.json --yes", words, bodyFile({ network: "testnet", ...body })),
  );
});
