import { describe, expect, test } from "vitest";
import { SERIALIZED } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { cli } from "../../helpers/cli.ts";
import type { World } from "../../helpers/test-app.ts";
import { sendingService } from "./sending-service.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const SPEED = "a speed: the service sets the price";
const FEES = "a max fee and a tip (EIP-1559)";
const XDR = "a built transaction, as XDR";
const OPERATIONS = JSON.stringify([{ type: "payment", destination: ACCOUNT, amount: "1", asset: { type: "native" } }]);

const answered = (line: string, answers: NonNullable<World["answers"]>, world: World = {}) =>
  cli(`tx send ${line}`, { service: sendingService(), terminal: true, answers, ...world });

/** The body that goes over the wire, once the answers and a last yes were given. */
async function body(line: string, answers: readonly string[], world: World = {}): Promise<unknown> {
  const ran = await answered(line, [...answers, true], world);
  expect(ran.questions.at(-1), ran.stderr).toBe("Send it?");
  expect(ran.writes.map(({ method }) => method)).toEqual(["POST"]);
  return JSON.parse(ran.writes[0]?.body ?? "");
}

describe("what a transaction cannot do without is asked for, and nothing else", () => {
  test("on EVM: receiver, value and price", async () => {
    const answers = [TO, "0.01eth", SPEED, "fast"];
    expect(await body("evm-1", answers)).toEqual({ to: TO, value: "10000000000000000", speed: "fast" });
    const ran = await answered("evm-1", [...answers, false]);
    expect(ran.questions).toEqual(["To:", "Value:", "Price:", "Speed:", "Send it?"]);
  });

  test.each([
    [`--to ${TO} --value 1`, ["a gas price (legacy)", "30gwei"], { to: TO, value: "1", gas_price: 30_000_000_000 }],
    [`--to ${TO} --speed fast`, ["5"], { to: TO, value: "5", speed: "fast" }],
    ["--data 0x60 --speed fast", ["0"], { data: "0x60", value: "0", speed: "fast" }],
  ])("%s", async (flags, answers, expected) => {
    expect(await body(`evm-1 ${flags}`, answers)).toEqual(expected);
  });

  test("on Solana: a built transaction, or instructions", async () => {
    const built = ["solana", "a built transaction, as base64", "AQ", SERIALIZED];
    const ran = await answered("sol-1 --dry-run", built);
    expect(ran.stdout).toContain(`{"transaction":"${SERIALIZED}"}`);
    expect(ran.questions[3]).toContain("  Failed to decode transaction");
    const instructions = [{ program_id: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", accounts: [], data: "AQI=" }];
    const files = { "i.json": JSON.stringify(instructions) };
    expect(await body("sol-1", ["instructions, from a JSON file", "i.json"], { files })).toEqual({ instructions });
  });

  test("on Stellar: the network, which is suggested, and what it does", async () => {
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

describe("with -i all that was not typed is asked for", () => {
  test("on EVM, and the line without questions is told", async () => {
    const ran = await answered("evm-1 -i", ["", "0", "0x60", "", FEES, "30gwei", "2gwei", "", false]);
    expect(ran.questions).toEqual([
      "To (enter: none, which creates a contract):",
      "Value:",
      "Data, the code of the contract:",
      "Gas limit (enter: none, the service estimates it):",
      "Price:",
      "Max fee per gas:",
      "Max priority fee per gas:",
      "Valid until (enter: no limit):",
      "Send it?",
    ]);
    expect(ran.offered[0]).toEqual([SPEED, FEES, "a gas price (legacy)"]);
    expect(ran.stderr).toContain(
      "without questions: relayctl tx send evm-1 --value 0 --data 0x60 --max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei\n",
    );
  });

  test("gas, where the relayer's policy does not let it be estimated", async () => {
    const ran = await answered(`evm-listed -i --to ${TO} --value 1 --speed fast`, ["", "21000", ""]);
    expect(ran.questions.slice(0, 3)).toEqual(["Data (enter: none):", "Gas limit:", "Valid until (enter: no limit):"]);
  });
});

describe("nobody is asked", () => {
  test.each([
    [`evm-1 --to ${TO} --value 1 --speed fast --dry-run`, 0],
    ["evm-1 --value abc", 2],
    ["evm-1 --valid-until 2020-01-01T00:00:00Z", 2],
    ["evm-1 --value 1 --network testnet", 2],
    [`evm-1 --to ${TO} --value 1 --max-fee-per-gas 30gwei`, 2],
    ["a/b", 2],
    ["evm-1 --no-input", 2],
    ["evm-paused", 6],
    ["evm-disabled -i", 6],
  ])("%s", async (line, exitCode) => {
    expect(await answered(line, [])).toMatchObject({ exitCode, questions: [], writes: [] });
  });

  test("without a terminal", async () => {
    const ran = await cli("tx send evm-1", { service: sendingService() });
    expect(ran).toMatchObject({ exitCode: 2, questions: [], requests: [] });
  });
});
