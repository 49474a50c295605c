import { Buffer } from "node:buffer";
import { bodyItemWords } from "../../../src/views/transaction/body-rows.ts";
import { describeBuilt } from "../../../src/views/transaction/describe-built.ts";

const [A, B, C, D] = ["AAAA", "BBBB", "CCCC", "DDDD"];
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ATA = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const BUDGET = "ComputeBudget111111111111111111111111111111";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const SYSTEM = "1".repeat(32);

function solana(program_id: string, accounts: readonly string[], hex: string): string | undefined {
  const data = Buffer.from(hex, "hex").toString("base64");
  return bodyItemWords({
    program_id,
    accounts: accounts.map((pubkey) => ({ pubkey, is_signer: true, is_writable: true })),
    data,
  });
}

/** The bytes as the programs document them: integers begin with their lowest byte. */
describe("an instruction of Solana in words", () => {
  test.each<[string, string, string[], string, string]>([
    ["a transfer of SOL", SYSTEM, [A, B], "0200000000ca9a3b00000000", "transfer 1 SOL from AAAA to BBBB"],
    [
      "a transfer of a token",
      TOKEN,
      [A, B, C],
      "0340420f0000000000",
      "transfer 1000000 smallest units of a token from AAAA to BBBB, by CCCC",
    ],
    [
      "a checked transfer",
      TOKEN,
      [A, B, C, D],
      "0c60e316000000000006",
      "transfer 1500000 (1.5 with 6 decimals) of token BBBB from AAAA to CCCC, by DDDD",
    ],
    [
      "an approval",
      TOKEN,
      [A, B, C],
      "041900000000000000",
      "let BBBB spend 25 smallest units of the token in AAAA, by CCCC",
    ],
    [
      "an approval without limit",
      TOKEN,
      [A, B, C],
      `04${"ff".repeat(8)}`,
      "let BBBB spend unlimited (18446744073709551615) smallest units of the token in AAAA, by CCCC",
    ],
    ["a closed account", TOKEN, [A, B, C], "09", "close token account AAAA, its SOL goes to BBBB, by CCCC"],
    ["a created account", ATA, [A, B, C, D], "", "create token account BBBB of CCCC for token DDDD, paid by AAAA"],
    [
      "an account that may exist",
      ATA,
      [A, B, C, D],
      "01",
      "create token account BBBB of CCCC for token DDDD unless it exists, paid by AAAA",
    ],
    ["a limit of compute units", BUDGET, [], "02400d0300", "use at most 200000 compute units"],
    ["a price of compute units", BUDGET, [], "03e803000000000000", "pay 1000 micro-lamports for each compute unit"],
    ["a memo that is safe to print", MEMO, [], "1b5b336de280ae", "memo \\u{1b}[3m\\u{202e}"],
  ])("%s", (_, program, accounts, hex, words) => expect(solana(program, accounts, hex)).toBe(words));

  test.each<[string, string, string[], string]>([
    ["an unknown program", A, [A, B], "02000000"],
    ["data that is too long", SYSTEM, [A, B], "0200000000ca9a3b0000000000"],
    ["data that is too short", SYSTEM, [A, B], "0200000000ca9a3b000000"],
    ["another instruction", SYSTEM, [A, B], "0300000000ca9a3b00000000"],
    ["an account too few", TOKEN, [A, B, C], "0c60e316000000000006"],
    ["a memo that is not UTF-8", MEMO, [], "c328"],
  ])("is as sent for %s", (_, program, accounts, hex) => expect(solana(program, accounts, hex)).toBeUndefined());
});

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const native = { type: "native" };
const usdc = { type: "credit4", code: "USDC", issuer: ACCOUNT };
const invoke = { type: "invoke_contract", contract_address: CONTRACT, function_name: "transfer" };
const args = [{ address: ACCOUNT }, { i128: "25" }, { string: "a, b" }, { vec: [{ u32: 1 }] }];

describe("an operation of Stellar in words", () => {
  test.each([
    [{ type: "payment", destination: ACCOUNT, amount: "15000000", asset: native }, `pay 1.5 XLM to ${ACCOUNT}`],
    [
      { type: "payment", destination: ACCOUNT, amount: "9223372036854775807", asset: usdc },
      `pay 922337203685.4775807 USDC (issued by ${ACCOUNT}) to ${ACCOUNT}`,
    ],
    [
      { ...invoke, args },
      `call transfer(address ${ACCOUNT}, i128 25, string "a, b", {"vec":[{"u32":1}]}) of ${CONTRACT}`,
    ],
    [{ ...invoke, args: [], auth: { type: "source_account" } }, `call transfer() of ${CONTRACT}`],
  ])("%j", (operation, words) => expect(bodyItemWords(operation)).toBe(words));

  test.each([
    ["entries that authorize more", { ...invoke, args: [], auth: { type: "xdr", entries: ["AAAA"] } }],
    ["an unknown field", { type: "payment", destination: ACCOUNT, amount: "1", asset: native, memo: "x" }],
    ["an amount that is not an integer", { type: "payment", destination: ACCOUNT, amount: "1.5", asset: native }],
    ["another type", { type: "upload_wasm", wasm: { hex: "00" } }],
  ])("is as sent with %s", (_, operation) => expect(bodyItemWords(operation)).toBeUndefined());
});

describe("a built Solana transaction", () => {
  /** One signature, a header, three keys, a blockhash, and one transfer between the first two. */
  function built(data: string): string {
    const keys = ["01".repeat(32), "02".repeat(32), "00".repeat(32)].join("");
    const hex = `01${"00".repeat(64)}010001${"03"}${keys}${"07".repeat(32)}010202000100`.slice(0, -2);
    return Buffer.from(`${hex}${(data.length / 2).toString(16).padStart(2, "0")}${data}`, "hex").toString("base64");
  }

  test("shows its instructions", () => {
    const words = describeBuilt(built("0200000000ca9a3b00000000"));
    expect(words).toEqual([expect.stringMatching(/^transfer 1 SOL from \w{43,44} to \w{43,44}$/)]);
  });

  test("shows the data of an unknown instruction", () =>
    expect(describeBuilt(built("09"))).toEqual([
      expect.stringMatching(/^call 1{32} with accounts \w+, \w+ and data 0x09$/),
    ]));

  test("that is cut off shows none", () =>
    expect(describeBuilt(built("0200000000ca9a3b00000000").slice(0, -8))).toEqual([]));
});
