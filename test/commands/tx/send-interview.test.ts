import { SERIALIZED, serializedTransaction } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { cli, ends, type World } from "../../helpers/cli.ts";
import { sendingService } from "./sending-service.ts";
import { answering, one, relayerRecord } from "./wire.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const SPEED = "a speed: the service sets the price";
const FEES = "a max fee and a tip (EIP-1559)";
const LISTED = "0x1111111111111111111111111111111111111111";
const SOURCE = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const PAYER = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const XDR = "a built transaction, as XDR";
const OPERATIONS = JSON.stringify([{ type: "payment", destination: ACCOUNT, amount: "1", asset: { type: "native" } }]);

const answered = (line: string, answers: NonNullable<World["answers"]>, world: World = {}) =>
  cli(`tx send ${line}`, { service: sendingService(), terminal: true, answers, ...world });

/** Returns the sent body, once these responses and a last yes were entered. */
async function body(line: string, answers: readonly string[], world: World = {}): Promise<unknown> {
  const ran = await answered(line, [...answers, true], world);
  const [relayer] = line.split(" ");
  expect(ran.questions.at(-1), ran.stderr).toMatch(
    new RegExp(`^Send [^?]+ from ${relayer} \\([a-z-]+\\) in http://127\\.0\\.0\\.1:8080\\?$`),
  );
  expect(ran.writes.map(({ method }) => method)).toEqual(["POST"]);
  return JSON.parse(ran.writes[0]?.body ?? "");
}

describe("asks for required fields only", () => {
  test("on EVM: receiver, value, and price", async () => {
    const answers = [TO, "0.01eth", SPEED, "fast"];
    expect(await body("evm-1", answers)).toEqual({ to: TO, value: "10000000000000000", speed: "fast" });
    const ran = await answered("evm-1", [...answers, false]);
    expect(ran.questions).toEqual([
      "To:",
      "Value:",
      "Price:",
      "Speed:",
      "Send 0.01 ETH from evm-1 (localhost-anvil) in http://127.0.0.1:8080?",
    ]);
  });

  test.each([
    [`--to ${TO} --value 1`, ["a gas price (legacy)", "30gwei"], { to: TO, value: "1", gas_price: 30_000_000_000 }],
    [`--to ${TO} --speed fast`, ["5wei"], { to: TO, value: "5", speed: "fast" }],
    ["--data 0x60 --speed fast", ["0"], { data: "0x60", value: "0", speed: "fast" }],
  ])("%s", async (flags, answers, expected) => expect(await body(`evm-1 ${flags}`, answers)).toEqual(expected));

  test("on Solana: a built transaction, or instructions", async () => {
    const built = ["solana", "a built transaction, as base64", "AQ", SERIALIZED];
    const ran = await answered("sol-1 --dry-run", built);
    expect(ran.stdout).toContain(`{"transaction":"${SERIALIZED}"}`);
    expect(ran.questions[3]).toContain("  Failed to decode transaction");
    const instructions = [{ program_id: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", accounts: [], data: "AQI=" }];
    const files = { "i.json": JSON.stringify(instructions) };
    expect(await body("sol-1", ["instructions, from a JSON file", "i.json"], { files })).toEqual({ instructions });
  });

  test("on Stellar: the suggested network, and operations or a transaction", async () => {
    const files = { "ops.json": OPERATIONS };
    expect(await body("xlm-1", ["", "operations, from a JSON file", "ops.json"], { files })).toEqual({
      network: "testnet",
      operations: JSON.parse(OPERATIONS),
    });
    expect(await body("xlm-1", ["", XDR, envelopeXdr(1), "wrap the signed transaction"])).toEqual({
      network: "testnet",
      transaction_xdr: envelopeXdr(1),
      fee_bump: true,
    });
  });
});

describe("with -i asks for every field without a flag", () => {
  test("on EVM, and prints the command again if it is declined", async () => {
    const ran = await answered("evm-1 -i", ["", "0", "0x60", "", FEES, "30gwei", "2gwei", "", false]);
    expect(ran.questions).toEqual([
      "To (Enter sets none, which creates a contract):",
      "Value:",
      "Data, the code of the contract:",
      "Gas limit (Enter sets none; the service estimates it):",
      "Price:",
      "Max fee per gas:",
      "Max priority fee per gas:",
      "Valid until (Enter sets no limit):",
      "Send a transaction from evm-1 (localhost-anvil) in http://127.0.0.1:8080?",
    ]);
    expect(ran.offered[0]).toEqual([SPEED, FEES, "a gas price (legacy)"]);
    expect(ran.stderr).toContain(
      "  again    relayctl tx send evm-1 --value 0 --data 0x60 --max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei\n",
    );
  });

  test("including gas, if the relayer's policy disables estimation", async () => {
    const ran = await answered(`evm-listed -i --to ${LISTED} --value 1 --speed fast`, ["", "21000", "", false]);
    expect(ran.questions.slice(0, 3)).toEqual([
      "Data (Enter sets none):",
      "Gas limit:",
      "Valid until (Enter sets no limit):",
    ]);
  });
});

describe("rejects at the question what would be rejected at the end", () => {
  test("an invalid XDR", async () => {
    const ran = await answered("xlm-1", ["", XDR, "/tmp/pay.json", envelopeXdr(0), false]);
    expect(ran.questions.slice(2)).toEqual([
      "Transaction XDR, as base64:",
      expect.stringContaining("  Invalid XDR: no transaction envelope in base64"),
      "Transaction XDR, as base64:",
      "Send a transaction from xlm-1 (testnet) in http://127.0.0.1:8080?",
    ]);
  });

  test("a signed XDR without a fee bump", async () => {
    const ran = await answered("xlm-1", ["", XDR, envelopeXdr(1), "wrap the signed transaction", false]);
    expect(ran.offered.at(-1)).toEqual(["wrap the signed transaction"]);
    const entry = await answered("xlm-1 --signed-auth-entry AAAA", ["", XDR, envelopeXdr(1), false]);
    expect(entry.questions.at(-1), entry.stderr).toBe(
      "Send a transaction from xlm-1 (testnet) in http://127.0.0.1:8080?",
    );
  });

  test("values against the relayer's policies: a receiver, a missing gas limit, a price above the cap", async () => {
    const price = ["a gas price (legacy)", "99gwei", "5gwei"];
    const ran = await answered("evm-listed -i", [TO, LISTED, "1wei", "", "21000", ...price, "", false]);
    expect(ran.questions).toEqual([
      "To:",
      expect.stringContaining("Transaction target address is not whitelisted; allowed: the relayer itself"),
      "To:",
      "Value:",
      "Data (Enter sets none):",
      "Gas limit:",
      "Price:",
      "Gas price:",
      expect.stringContaining("Gas price is too high; the relayer's cap is 5 gwei"),
      "Gas price:",
      "Valid until (Enter sets no limit):",
      "Send 0.000000000000000001 ETH from evm-listed (localhost-anvil) in http://127.0.0.1:8080?",
    ]);
  });

  test("a transaction of another payer, with no offer of instructions if users pay", async () => {
    const users = answering({
      "GET /relayers/sol-1": one(relayerRecord({ id: "sol-1", network_type: "solana", address: PAYER, policies: {} })),
    });
    const other = serializedTransaction({ payer: SOURCE });
    const own = serializedTransaction({ payer: PAYER });
    const ran = await answered("sol-1", [other, own, false], { service: users });
    expect(ran.questions).toEqual([
      "Transaction, serialized, as base64:",
      expect.stringContaining(`does not match relayer address ${PAYER}`),
      "Transaction, serialized, as base64:",
      "Send a transaction from sol-1 (local) in http://127.0.0.1:8080?",
    ]);
  });
});

describe("asks nothing", () => {
  test.each([
    [`evm-1 --to ${TO} --value 1 --speed fast --dry-run`, 0],
    ["evm-1 --value abc", 2],
    ["evm-1 --valid-until 2020-01-01T00:00:00Z", 2],
    ["evm-1 --value 1 --network testnet", 2],
    [`evm-1 --to ${TO} --value 1 --max-fee-per-gas 30gwei`, 2],
    ["a/b", 2],
    ["xlm-1 --transaction-xdr /tmp/pay.json -i", 2],
    ["evm-1 --no-input", 2],
    ["evm-paused", 6],
    ["evm-disabled -i", 6],
  ])("%s", async (line, exitCode) => {
    expect(await answered(line, [])).toMatchObject({ exitCode, questions: [], writes: [] });
  });

  test("if the relayer's rules reject a flag, and reports the rules", async () => {
    const ran = await answered("evm-listed --gas-price 99gwei -i", []);
    expect(ran).toMatchObject({ exitCode: 2, questions: [], writes: [] });
    expect(ran.stderr).toBe(
      "error: --gas-price 99gwei = 99000000000 wei: Gas price is too high; the relayer's cap is 5 gwei\n  hint: relayctl relayers get evm-listed\n",
    );
  });

  test("without a terminal", () =>
    ends({ exitCode: 2, questions: [], requests: [] }, "tx send evm-1", { service: sendingService() }));
});
