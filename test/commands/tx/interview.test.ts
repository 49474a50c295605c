import type { Transport } from "../../../src/client/transport/transport.ts";
import { cancelError } from "../../../src/errors.ts";
import { cli, exited, type World } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

const TX = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const EVM = `tx replace eth-main-1 ${TX}`;
const LEGACY = "tx replace polygon-bulk d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293";
const SOLANA = "tx replace sol-pay 9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
const STELLAR = "tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const SIGNED = "AAAAAgAAAAE=";
const UNSIGNED = "AAAAAgAAAAA=";
const HASH = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";
const SPEED = "a speed: the service sets the price";
const FEES = "a max fee and a tip (EIP-1559)";
const GAS_PRICE = "a gas price (legacy)";
const XDR = "a built transaction, as XDR";
/** No fee bump, and no limits. */
const LEFT = ["leave it as it is", "", ""];
const OPERATIONS = "operations, from a JSON file";

const answered = (line: string, answers: NonNullable<World["answers"]>, world: World = {}) =>
  cli(line, { terminal: true, answers, ...world });

/** Returns the sent body, once these responses and a last yes were entered. */
async function body(line: string, answers: readonly string[], world: World = {}): Promise<unknown> {
  const ran = await answered(line, [...answers, true], world);
  const [, , relayer, id] = line.split(" ");
  expect(ran.questions.at(-1), ran.stderr).toBe(`Replace transaction ${id} of ${relayer} in http://127.0.0.1:8080?`);
  expect(ran.writes.map(({ method }) => method)).toEqual(["PUT"]);
  return JSON.parse(ran.writes[0]?.body ?? "");
}

describe("tx replace -i on EVM", () => {
  test("suggests the current values of the transaction", async () =>
    expect(await body(`${EVM} -i`, ["", "", "", "", SPEED, "fastest", ""])).toEqual({
      to: TO,
      value: 200000000000000000,
      gas_limit: 21000,
      speed: "fastest",
    }));

  test("accepts other values, with units", async () => {
    const answers = [OTHER, "0.25eth", "0xdeadbeef", "65000", SPEED, "average (now)", "2030-01-31T12:00:00Z"];
    expect(await body(`${EVM} -i`, answers)).toEqual({
      to: OTHER,
      value: 250000000000000000,
      data: "0xdeadbeef",
      gas_limit: 65000,
      speed: "average",
      valid_until: "2030-01-31T12:00:00Z",
    });
  });

  test("suggests the minimum replacement price", async () => {
    expect(await body(`${EVM} -i`, ["", "", "", "", FEES, "", "2gwei", ""])).toMatchObject({
      max_fee_per_gas: 13800000000,
      max_priority_fee_per_gas: 2000000000,
    });
    expect(await body(`${LEGACY} -i`, ["", "", "", "", GAS_PRICE, "", ""])).toMatchObject({
      gas_price: 33000000000,
      gas_limit: 65000,
    });
  });

  test("rejects each invalid value at its question, with the rule and an example", async () => {
    const wrong = [
      "0x12",
      "",
      "-1",
      "1.5",
      "2",
      "1pol",
      "",
      "0xabc",
      "0xab",
      "many",
      "65000",
      FEES,
      "20gwei",
      "30gwei",
      "2gwei",
    ];
    const ran = await answered(`${EVM} -i`, [...wrong, "2020-01-01T00:00:00Z", "soon", "", false]);
    expect(ran.questions).toEqual([
      "To:",
      `  an address has 40 hex digits, this one has 2`,
      "To:",
      "Value:",
      "  needs digits, optionally with a unit, e.g. 1.5eth or 80gwei",
      "Value:",
      "  needs a unit, e.g. 1.5eth",
      "Value:",
      "  has no unit: did you mean 2eth? (2wei if you do mean wei)",
      "Value:",
      "  the coin of this network is ETH: 1eth",
      "Value:",
      "Data (Enter sets none):",
      "  has an odd number of hex digits, e.g. 0xa9059cbb",
      "Data (Enter sets none):",
      "Gas limit:",
      "  a whole number of gas, e.g. 65000",
      "Gas limit:",
      "Price:",
      "Max fee per gas (now 12.5 gwei; at least 10% more):",
      "Max priority fee per gas (now 1 gwei; at least 10% more):",
      "  maxFeePerGas must be greater than or equal to maxPriorityFeePerGas, e.g. 1.1gwei",
      "Max priority fee per gas (now 1 gwei; at least 10% more):",
      "Valid until (Enter sets no limit):",
      "  The validUntil time cannot be in the past, e.g. 2030-01-31T12:00:00Z",
      "Valid until (Enter sets no limit):",
      "  Invalid validUntil datetime format: RFC 3339 with a zone, e.g. 2026-01-31T12:00:00Z",
      "Valid until (Enter sets no limit):",
      "Replace transaction 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 of eth-main-1 in http://127.0.0.1:8080?",
    ]);
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("requires a gas limit if there is data", async () => {
    const service = serviceWith({ id: "r1", network_type: "evm" }, { id: "t1", to: TO });
    const ran = await answered("tx replace r1 t1 -i", ["", "0", "0xab", "", "65000", SPEED, "fast", "", false], {
      service,
    });
    expect(ran.questions).toContain("  enter a value, e.g. 65000");
    const without = ["", "0", "", "", SPEED, "fast", "", false];
    expect((await answered("tx replace r1 t1 -i", without, { service })).questions).toContain(
      "Gas limit (Enter sets none; signed with 21000):",
    );
  });

  test("does not ask for values from flags or a file", async () => {
    const typed = `--to ${OTHER} --value 1 --no-gas-limit --max-fee-per-gas 20gwei`;
    expect(await body(`${EVM} -i ${typed}`, ["", "2gwei", ""])).toEqual({
      to: OTHER,
      value: 1,
      gas_limit: null,
      max_fee_per_gas: 20000000000,
      max_priority_fee_per_gas: 2000000000,
    });
    const files = { "b.json": `{"to":"${OTHER}","value":1,"data":"0xab","gas_limit":65000,"speed":"fast"}` };
    expect(await body(`${EVM} -i -f b.json`, [""], { files })).toEqual(JSON.parse(files["b.json"]));
  });

  test("prints a command without questions that sends the same body", async () => {
    const ran = await answered(`${EVM} -yi`, ["", "0.25eth", "", "", SPEED, "fastest", ""]);
    const line = `${EVM} -y --to ${TO} --value 0.25eth --gas-limit 21000 --speed fastest`;
    expect(ran.stderr).toContain(`transaction ${TX} of eth-main-1 (mainnet): submitted, nonce 7\n`);
    expect(ran.stderr).toContain(`without questions: relayctl ${line}\n`);
    expect((await cli(line)).writes[0]?.body).toBe(ran.writes[0]?.body);
  });

  test("ends in the same preview as typed flags", async () => {
    const asked = await answered(`${EVM} -i`, ["", "0.25eth", "", "", SPEED, "fastest", "", false]);
    const typed = await answered(`${EVM} --to ${TO} --value 0.25eth --gas-limit 21000 --speed fastest`, [false]);
    expect(asked.stderr).toContain(typed.stderr);
  });
});

describe("a price that cannot replace the current one", () => {
  test("is rejected with the minimum price", async () => {
    const ran = await answered(`${EVM} -i`, ["", "", "", "", FEES, "1gwei", "20gwei", "1gwei", "", "", false]);
    const rule = "must be at least 10% more than it is now, or nothing is replaced";
    expect(ran.questions.filter((line) => line.startsWith("  "))).toEqual([
      `  ${rule}, e.g. 13.8gwei`,
      `  ${rule}, e.g. 1.1gwei`,
    ]);
    const legacy = await answered(`${LEGACY} -i`, ["", "", "", "", GAS_PRICE, "30gwei", "", "", false]);
    expect(legacy.questions).toContain(`  ${rule}, e.g. 33gwei`);
  });

  test("may be a tip up to the typed fee, which is also suggested", async () => {
    const wire = await body(`${EVM} -i --max-fee-per-gas 1gwei`, ["", "", "", "", "", ""]);
    expect(wire).toMatchObject({ max_fee_per_gas: 1000000000, max_priority_fee_per_gas: 1000000000 });
    const service = serviceWith({ id: "r1", network_type: "evm" }, { id: "t1", to: TO });
    const ran = await answered("tx replace r1 t1 -i", ["", "0", "", "", FEES, "1gwei", "2gwei", "1gwei", "", false], {
      service,
    });
    expect(ran.questions).toContain("  maxFeePerGas must be greater than or equal to maxPriorityFeePerGas, e.g. 1gwei");
  });
});

describe("tx replace -i on Solana", () => {
  test("rejects text that is not base64", async () => {
    const ran = await answered(`${SOLANA} -i`, ["notbase64!!", "AQABAg", "AQAB", false]);
    const rule = "  is not base64, with its padding, e.g. AQABAgMEBQYHCAkKCwwNDg8=";
    expect(ran.questions.filter((line) => line.startsWith("  "))).toEqual([rule, rule]);
  });

  test("asks for the transaction", async () => {
    const ran = await answered(`${SOLANA} -i`, ["", "AQABAg==", true]);
    expect(ran.questions).toEqual([
      "Transaction, serialized, as base64:",
      "  enter a value, e.g. AQABAgMEBQYHCAkKCwwNDg8=",
      "Transaction, serialized, as base64:",
      "Replace transaction 9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3 of sol-pay in http://127.0.0.1:8080?",
    ]);
    expect(ran.writes[0]?.body).toBe('{"transaction":"AQABAg=="}');
  });
});

describe("tx replace -i on Stellar", () => {
  test("asks for a signed transaction with memo, fee bump, and limits", async () => {
    const answers = ["", "", XDR, SIGNED, "text", "refund", "wrap the signed transaction", "0.5xlm", "1893456000"];
    expect(await body(`${STELLAR} -i`, answers)).toEqual({
      network: "mainnet",
      source_account: ACCOUNT,
      transaction_xdr: SIGNED,
      memo: { type: "text", value: "refund" },
      fee_bump: true,
      max_fee: 5000000,
      valid_until: "1893456000",
    });
  });

  test("rejects another network than the relayer's, and text that is not base64", async () => {
    const ran = await answered(`${STELLAR} -i`, ["foo", "", "", XDR, "no!", SIGNED, "leave it out", ...LEFT, false]);
    expect(ran.questions.filter((line) => line.startsWith("  "))).toEqual([
      "  is not the relayer's network, which is mainnet, e.g. mainnet",
      "  base64 of a transaction, e.g. AAAAAgAAAAE=",
    ]);
  });

  test("does not offer a fee bump for an unsigned transaction", async () => {
    const ran = await answered(`${STELLAR} -i`, ["", "", XDR, UNSIGNED, "leave it out", "", "", false]);
    expect(ran.questions).not.toContain("Fee bump:");
  });

  test("reads operations from a file at the question for its path", async () => {
    const operations = [{ type: "payment", destination: ACCOUNT, amount: 5, asset: { type: "native" } }];
    const files = { "ops.json": JSON.stringify(operations), "one.json": "{}", "bad.json": "[" };
    const answers = ["", "", OPERATIONS, "gone.json", "bad.json", "one.json", "-", "ops.json", "none", "", ""];
    const ran = await answered(`${STELLAR} -i`, [...answers, true], { files });
    expect(ran.questions.filter((line) => line.startsWith("  "))).toEqual([
      "  cannot be read: it does not exist, e.g. operations.json",
      expect.stringMatching(/^ {2}is not JSON: .*, e.g. operations\.json$/),
      "  a list of operations, e.g. operations.json",
      expect.stringMatching(/^ {2}reads stdin, but stdin is a terminal/),
    ]);
    expect(JSON.parse(ran.writes[0]?.body ?? "")).toEqual({
      network: "mainnet",
      source_account: ACCOUNT,
      operations,
      memo: { type: "none" },
    });
  });

  test.each([
    ["id", ["x", "7"], "an id must be a whole number from 0, e.g. 7", { type: "id", value: 7 }],
    ["hash", ["ab", HASH], `a hash has 64 hex digits, e.g. ${HASH.slice(0, 60)}`, { type: "hash" }],
    ["return", ["", HASH], "enter a value", { type: "return" }],
    ["text", ["x".repeat(29), "-x"], "at most 28 bytes of UTF-8, e.g. refund", { type: "text", value: "-x" }],
  ])("rejects an invalid memo of type %s", async (type, answers, rule, memo) => {
    const ran = await answered(`${STELLAR} -i`, ["", "", XDR, UNSIGNED, type, ...answers, "", "", true]);
    expect(ran.questions.find((line) => line.startsWith("  "))).toContain(rule);
    expect(JSON.parse(ran.writes[0]?.body ?? "").memo).toMatchObject(memo);
  });

  test("does not ask for values from flags", async () => {
    const typed = `--network mainnet --no-source-account --transaction-xdr ${SIGNED} --no-memo --fee-bump --max-fee 7`;
    expect(await body(`${STELLAR} -i ${typed} --valid-until 1893456000`, [])).toMatchObject({ fee_bump: true });
  });
});

describe("if the service lacks a record", () => {
  test("of the transaction, suggests nothing", async () => {
    const service = serviceWith({ id: "r1", network_type: "evm" }, undefined);
    const answers = [TO, "1wei", "", "21000", SPEED, "fast", "", true];
    const ran = await answered("tx replace r1 t1 -i", answers, { service });
    expect(ran.questions[0]).toBe("To (Enter sets none, which creates a contract):");
    expect(ran.writes).toHaveLength(1);
  });

  test("with a known network type, asks for the type", async () => {
    const service = serviceWith({ id: "r1", network_type: "cosmos" }, { id: "t1" });
    const ran = await answered("tx replace r1 t1 -i", ["solana", "AQAB", false], { service });
    expect(ran.offered[0]).toEqual(["evm", "solana", "stellar"]);
  });

  test("reports an unknown relayer or transaction before any question", async () => {
    expect(await answered(`tx replace nope ${TX} -i`, [])).toMatchObject({ exitCode: 5, questions: [] });
    expect(await answered("tx replace eth-main-1 nope -i", [])).toMatchObject({ exitCode: 5, questions: [] });
  });

  test("reads nothing in a dry run, and asks for the network type or takes it from a flag", async () => {
    const ran = await answered(`${EVM} -i --dry-run`, ["evm", TO, "1wei", "", "21000", SPEED, "fast", ""]);
    expect(ran).toMatchObject({ exitCode: 0, requests: [] });
    expect(ran.stdout).toContain('{"value":1,"gas_limit":21000,');
    await exited({ exitCode: 0, requests: [] }, answered(`${SOLANA} -i --curl --network-type solana`, ["AQAB"]));
  });
});

describe("without -i", () => {
  test("asks for each field on a terminal if a required field is missing", async () => {
    expect(await body(`${EVM} --speed fastest`, ["", "", "", "", ""])).toMatchObject({ to: TO, speed: "fastest" });
    expect(await cli(`${EVM} --speed fastest`)).toMatchObject({ exitCode: 2, requests: [] });
  });

  test("asks for nothing if the body is complete", async () =>
    expect((await answered(`${EVM} --value 1`, [false])).questions).toEqual([
      "Replace transaction 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 of eth-main-1 in http://127.0.0.1:8080?",
    ]));
});

describe("asks nothing", () => {
  test.each([
    [`${EVM} -i --value abc`, "--value abc"],
    [`${EVM} -i --to 0x12`, "--to 0x12"],
    [`${EVM} -i --valid-until 2020-01-01T00:00:00Z`, "is in the past"],
    [`${EVM} -i --value 1 --network mainnet`, "belong to different network types"],
    [`${EVM} -i --network-type solana --value 1`, "cannot be part of a Solana replacement"],
    [`${EVM} -i -f b.json`, "unknown field: colour"],
    [`tx replace a/b ${TX} -i`, "<relayer-id> a/b"],
  ])("if a flag or file is invalid: %s", async (line, words) => {
    const ran = await answered(line, [], { files: { "b.json": '{"value":1,"colour":"red"}' } });
    expect(ran).toMatchObject({ exitCode: 2, questions: [], writes: [] });
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).not.toContain("without questions");
  });

  test("without a terminal, and exits with 2", async () =>
    expect(await cli(`${EVM} -i`)).toMatchObject({ exitCode: 2, requests: [], questions: [] }));
});

const stop = cancelError("interrupted");
test.each([
  [EVM, ["", "", "", "", FEES, "", "", ""]],
  [EVM, ["", "", "", "", SPEED, "fast", ""]],
  [SOLANA, ["AQAB"]],
  [STELLAR, ["", "", XDR, SIGNED, "text", "x", "wrap the signed transaction", "", ""]],
])("Ctrl-C at each question of %s -i exits with 130, and nothing is sent", async (line, answers) => {
  for (let before = 0; before <= answers.length; before++)
    await exited({ exitCode: 130, writes: [] }, answered(`${line} -i`, [...answers.slice(0, before), stop]));
});

function serviceWith(relayer: object, transaction: object | undefined): Transport {
  const success = (data: object) => reply(200, JSON.stringify({ success: true, data }));
  return async ({ method, target, body }) => {
    if (method === "PUT") return success({ id: "t1", ...JSON.parse(body ?? "{}"), hash: "0x1" });
    if (!target.includes("/transactions")) return success(relayer);
    return transaction ? success(transaction) : reply(404, "");
  };
}
