import { sponsoredSchemas, transactionSchemas } from "../../../src/contract/requests.ts";
import { issuesOf } from "../issues.ts";
import { SERIALIZED } from "../solana-transaction.ts";
import { envelopeXdr } from "../xdr-envelope.ts";

describe("an EVM transaction", () => {
  const TO = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  const U64 = 2n ** 64n - 1n;
  const U256 = 2n ** 256n - 1n;
  const issues = (fields: string) => issuesOf(transactionSchemas.evm, `{${fields}}`);
  const payment = (fields: string) => issues(`"to":"${TO}","value":"0"${fields && `,${fields}`}`);

  describe("value (a 64-bit integer, or a 256-bit string)", () => {
    test.each(["0", String(U64), '"0"', `"${U256}"`, '"0x10"', `"0x${"f".repeat(64)}"`])("%s is accepted", (value) => {
      expect(issues(`"to":"${TO}","speed":"fast","value":${value}`)).toEqual([]);
    });

    test.each(["-1", String(U64 + 1n), `"${U256 + 1n}"`, "1.5", "1e18", "null", '""', '"-1"', '"1eth"', '"0x"'])(
      "%s is refused",
      (value) => {
        expect(issues(`"to":"${TO}","speed":"fast","value":${value}`)).toEqual([
          "value: a whole number of wei from 0 to 2^256-1",
        ]);
      },
    );

    test("is required, even for 0", () => expect(issues(`"to":"${TO}","speed":"fast"`)).toHaveLength(1));
  });

  describe.each(["gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"])(
    "%s is a number without quotes",
    (price) => {
      const rule = `${price}: a whole number of wei from 0 to ${U64}`;

      test.each(["-1", String(U64 + 1n), "1.5"])("%s is refused", (value) => {
        expect(payment(`"${price}":${value}`)).toEqual([rule]);
      });

      test("a number in quotes is rejected, with that hint", () =>
        expect(payment(`"${price}":"1"`)).toEqual([`${rule}, without quotes`]));
    },
  );

  describe("exactly one kind of price is required", () => {
    const needed = "speed: Transaction must specify either gasPrice, speed, or EIP1559 parameters";
    const mixed = "speed: Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters";
    const both = "max_fee_per_gas: EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas";

    test.each([
      '"speed":"safeLow"',
      '"gas_price":0',
      `"gas_price":${U64}`,
      '"max_fee_per_gas":2,"max_priority_fee_per_gas":2',
      '"speed":"fast","gas_price":null,"max_fee_per_gas":null',
    ])("%s is accepted", (price) => expect(payment(price)).toEqual([]));

    test.each([
      ["", [needed]],
      ['"speed":null', [needed]],
      ['"speed":"fast","gas_price":1', [mixed]],
      ['"gas_price":1,"max_fee_per_gas":2,"max_priority_fee_per_gas":1', [mixed.replace("speed", "gas_price")]],
      ['"speed":"fast","max_priority_fee_per_gas":1', [mixed, both]],
      ['"max_fee_per_gas":1', [both]],
      ['"max_priority_fee_per_gas":1', [both]],
      [
        '"max_fee_per_gas":1,"max_priority_fee_per_gas":2',
        ["max_priority_fee_per_gas: maxFeePerGas must be greater than or equal to maxPriorityFeePerGas"],
      ],
      ['"speed":"quick"', ["speed: one of fastest, fast, average, safeLow"]],
    ])("%s", (price, expected) => expect(payment(price)).toEqual(expected));
  });

  describe("gas below the intrinsic gas is rejected", () => {
    const least = (gas: bigint) =>
      `gas_limit: gas_limit is too low, intrinsic gas is ${gas} and gas_limit is ${gas - 1n}`;

    test.each([
      ["a payment", `"to":"${TO}"`, 21_000n],
      ["two bytes of data, one of them zero", `"to":"${TO}","data":"0x00ff"`, 21_020n],
      ["a contract's creation", '"data":"0x60"', 53_016n],
    ])("%s", (_, fields, gas) => {
      const all = (limit: bigint) => `${fields},"value":0,"speed":"fast","gas_limit":${limit}`;
      expect(issues(all(gas))).toEqual([]);
      expect(issues(all(gas - 1n))).toEqual([least(gas)]);
    });

    test("unless there is no gas limit", () => expect(payment('"speed":"fast","gas_limit":null')).toEqual([]));
  });

  describe("the other fields", () => {
    test("require a receiver or data", () => {
      expect(issues('"value":0,"speed":"fast"')).toEqual([
        "to: Both txs `to` and `data` fields are missing. At least one of them has to be set.",
      ]);
      expect(issues('"value":0,"speed":"fast","data":"0x"')).toEqual([]);
    });

    test.each([
      ['"data":"beef"', "data: needs 0x and hex digits"],
      ['"gas_limit":-1', `gas_limit: a whole number from 0 to ${U64}`],
      [
        '"valid_until":"tomorrow"',
        "valid_until: Invalid validUntil datetime format: RFC 3339 with a zone, e.g. 2026-01-31T12:00:00Z",
      ],
      ['"gasLimit":21000', ": unknown gasLimit"],
      ['"network":"mainnet"', ": unknown network"],
    ])("%s is refused", (field, issue) => expect(payment(`"speed":"fast",${field}`)).toEqual([issue]));

    test("a receiver with a wrong checksum is rejected, since the service would block its nonces", () =>
      expect(issues(`"to":"${TO.slice(0, -1)}D","value":0,"speed":"fast"`)).toEqual([
        "to: the checksum of this address is wrong: look for a mistyped digit",
      ]));
  });
});

describe("a Solana transaction", () => {
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
      [
        { program_id: "0OIl" },
        "instructions.0.program_id: Invalid program_id '0OIl' - needs 32 to 44 base58 characters",
      ],
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
          instructions: [
            instruction({ accounts: accounts.slice(0, 33) }),
            instruction({ accounts: accounts.slice(33) }),
          ],
        };
      };
      expect(issues(spread(64))).toEqual([]);
      expect(issues(spread(65))).toEqual(["instructions: Too many unique accounts: 65 exceeds Solana's limit of 64"]);
    });
  });
});

describe("a Stellar transaction", () => {
  const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
  const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
  const SIGNED = envelopeXdr(1);
  const UNSIGNED = envelopeXdr(0);
  const payment = { type: "payment", destination: ACCOUNT, amount: "10000000", asset: { type: "native" } };
  const upload = { type: "upload_wasm", wasm: { hex: "0061736d" } };
  const invoke = { type: "invoke_contract", contract_address: CONTRACT, function_name: "transfer", args: [{ u32: 5 }] };

  const issues = (body: object) =>
    issuesOf(transactionSchemas.stellar, JSON.stringify({ network: "testnet", ...body }));

  describe("operations or an envelope", () => {
    test.each([
      { operations: [payment] },
      { operations: Array(100).fill(payment), memo: { type: "text", value: "hi" }, max_fee: 500 },
      { operations: [upload], memo: { type: "none" } },
      { operations: [invoke], source_account: ACCOUNT, valid_until: "1893456000" },
      { operations: [], transaction_xdr: UNSIGNED },
      { transaction_xdr: SIGNED, fee_bump: true, operations: null },
      { transaction_xdr: UNSIGNED, signed_auth_entry: "AAAA", fee_bump: false },
    ])("%j is accepted", (body) => expect(issues(body)).toEqual([]));

    test.each([
      [
        { operations: [payment], transaction_xdr: UNSIGNED },
        "transaction_xdr: Cannot provide both operations and transaction_xdr",
      ],
      [{}, "operations: Must provide either operations or transaction_xdr"],
      [{ operations: [] }, "operations: Must provide either operations or transaction_xdr"],
      [{ operations: [payment], fee_bump: true }, "fee_bump: Cannot request fee_bump with operations mode"],
      [
        { operations: [payment], signed_auth_entry: "AAAA" },
        "signed_auth_entry: signed_auth_entry requires transaction_xdr to be provided",
      ],
      [
        { transaction_xdr: SIGNED, signed_auth_entry: "AAAA", fee_bump: true },
        "signed_auth_entry: Cannot use both signed_auth_entry and fee_bump",
      ],
      [{ transaction_xdr: UNSIGNED, fee_bump: true }, "fee_bump: Cannot request fee_bump with unsigned XDR"],
      [{ transaction_xdr: SIGNED }, "transaction_xdr: Expected unsigned XDR but received signed XDR"],
      [{ transaction_xdr: "AAAA" }, "transaction_xdr: Invalid XDR: no transaction envelope in base64"],
      [
        { operations: Array(101).fill(payment) },
        "operations: Transaction has 101 operations, but maximum allowed is 100",
      ],
      [{ operations: [upload, invoke] }, "operations: Transaction can contain at most one Soroban operation"],
      [
        { operations: [payment, invoke] },
        "operations: Soroban operations must be exclusive - no other operations allowed in the same transaction",
      ],
      [
        { operations: [invoke], memo: { type: "id", value: 1 } },
        "memo: Soroban operations cannot have a memo (except MemoNone)",
      ],
      [{ operations: [payment], network: "" }, "network: a network name"],
      [{ operations: [payment], valid_until: "soon" }, "valid_until: RFC 3339 with a zone, or unix seconds"],
      [
        { operations: [payment], source_account: "GABC" },
        "source_account: has 4 characters; an address that begins with G has 56",
      ],
      [
        { operations: [payment], max_fee: "5" },
        "max_fee: a whole number of stroops from 0 to 9223372036854775807, without quotes",
      ],
      [{ operations: [payment], value: 1 }, ": unknown value"],
    ])("%j is refused", (body, issue) => expect(issues(body)).toEqual([issue]));
  });

  describe("a memo", () => {
    const hash = "0123456789abcdef".repeat(4);

    test.each([
      { type: "text", value: "é".repeat(14) },
      { type: "id", value: 7 },
      { type: "id", value: "18446744073709551615" },
      { type: "hash", value: hash },
      { type: "return", value: hash.toUpperCase() },
    ])("%j is accepted", (memo) => expect(issues({ operations: [payment], memo })).toEqual([]));

    test.each([
      [{ type: "text", value: "a".repeat(29) }, "memo.value: at most 28 bytes of UTF-8"],
      [{ type: "id", value: "18446744073709551616" }, "memo.value: a whole number from 0 to 18446744073709551615"],
      [{ type: "hash", value: Array(32).fill(1) }, "memo.value: Invalid input"],
      [{ type: "hash", value: hash.slice(2) }, "memo.value: 64 hex digits in one text"],
      [{ type: "colour" }, "memo.type: one of none, text, id, hash, return with its value"],
    ])("%j is refused", (memo, issue) => expect(issues({ operations: [payment], memo })).toEqual([issue]));
  });
});

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const USDC = `USDC:${ACCOUNT}`;
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const payment = { type: "payment", destination: ACCOUNT, amount: "1", asset: { type: "native" } };

describe("Stellar", () => {
  const issues = (body: object) => issuesOf(sponsoredSchemas.stellar, JSON.stringify(body));

  test.each([
    { transaction_xdr: envelopeXdr(0), fee_token: USDC },
    { operations: [payment], source_account: ACCOUNT, fee_token: "native" },
    { operations: null, transaction_xdr: envelopeXdr(0), fee_token: USDC },
  ])("%j is accepted", (body) => expect(issues(body)).toEqual([]));

  test.each([
    [
      { operations: [payment], source_account: ACCOUNT, transaction_xdr: envelopeXdr(0), fee_token: USDC },
      "transaction_xdr: Cannot provide both transaction_xdr and operations",
    ],
    [{ fee_token: USDC }, "transaction_xdr: Must provide either transaction_xdr or operations"],
    [
      { operations: [payment], fee_token: USDC },
      "source_account: source_account is required when providing operations",
    ],
    [
      { transaction_xdr: envelopeXdr(0), fee_token: "USDC" },
      "fee_token: Invalid fee_token structure: Asset identifier must be 'native', 'XLM', 'CODE:ISSUER', or a contract address",
    ],
    [{ transaction_xdr: envelopeXdr(0), fee_token: USDC, network: "x" }, ": unknown network"],
  ])("%j is refused", (body, issue) => expect(issues(body)).toEqual([issue]));
});

describe("Solana", () => {
  const issues = (body: object) => issuesOf(sponsoredSchemas.solana, JSON.stringify(body));

  test("requires a transaction and a token", () => {
    expect(issues({ transaction: SERIALIZED, fee_token: MINT })).toEqual([]);
    expect(issues({ transaction: SERIALIZED, fee_token: "USDC" })).toEqual([
      "fee_token: needs 32 to 44 base58 characters",
    ]);
    expect(issues({ fee_token: MINT })).toHaveLength(1);
    expect(issues({ transaction: SERIALIZED, fee_token: MINT, operations: [] })).toEqual([": unknown operations"]);
  });
});
