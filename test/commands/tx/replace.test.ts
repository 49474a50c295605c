import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits, printedError, SERVER, type World } from "../../helpers/cli.ts";
import { FOLLOW, replacementIn, STAYS_VALID } from "../../helpers/receipts.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { answering } from "./wire.ts";

const TX = "tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const SOLANA = "tx replace sol-pay 9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
const STELLAR = "tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
const TO = "0xde709f2102306220921060314715629080e2fb77";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const HASH = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";
/** A v1 envelope of no meaning whose list of signatures is not empty. */
const SIGNED = "AAAAAgAAAAE=";

/** The body that goes over the wire, whatever the service thinks of it. */
async function body(line: string, world: World = {}): Promise<string | undefined> {
  const ran = await cli(`${line} --yes`, world);
  expect(
    ran.writes.map(({ method }) => method),
    ran.stderr,
  ).toEqual(["PUT"]);
  return ran.writes[0]?.body;
}

/** Members in another order are the same body; the bytes of each member are compared. */
function fields(json: string | undefined): string[] {
  const text = (json ?? "").slice(1, -1);
  return text.split(/,(?="[a-z_]+":)/).sort();
}

describe("tx replace sends the exact body of each network type", () => {
  test("EVM, with every field", async () => {
    const line = `${TX} --to ${TO} --value 340282366920938463463374607431768211455 --data 0xdeadBEEF --gas-limit 9223372036854775807`;
    const prices = "--max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei --valid-until 2030-01-01T00:00:00Z";
    expect(fields(await body(`${line} ${prices}`))).toEqual(
      fields(
        `{"to":"${TO}","value":340282366920938463463374607431768211455,"data":"0xdeadBEEF","gas_limit":9223372036854775807,"max_fee_per_gas":30000000000,"max_priority_fee_per_gas":2000000000,"valid_until":"2030-01-01T00:00:00Z"}`,
      ),
    );
  });

  test.each([
    ["--value 0 --gas-price 1.5gwei", '{"value":0,"gas_price":1500000000}'],
    ["--value 0x10 --speed safeLow", '{"value":16,"speed":"safeLow"}'],
    ["--value 0.25eth --no-gas-limit --data 0xab", '{"value":250000000000000000,"gas_limit":null,"data":"0xab"}'],
    ["--value 9007199254740993", '{"value":9007199254740993}'],
    ["--value 1 --data 0x", '{"value":1,"data":"0x"}'],
  ])("EVM: %s", async (flags, expected) => expect(fields(await body(`${TX} ${flags}`))).toEqual(fields(expected)));

  test("Solana", async () => expect(await body(`${SOLANA} --transaction AQABAg==`)).toBe('{"transaction":"AQABAg=="}'));

  test("Stellar, with every field", async () => {
    const world = {
      service: answering({}),
      files: { "ops.json": '[{"type":"payment","amount":10000000000000000001,"asset":{"type":"native"}}]' },
    };
    const line = `${STELLAR} --network mainnet --source-account ${ACCOUNT} --operations ops.json --memo text:refund --max-fee 0.5xlm --no-fee-bump`;
    expect(fields(await body(`${line} --valid-until 1893456000`, world))).toEqual(
      fields(
        `{"network":"mainnet","source_account":"${ACCOUNT}","operations":[{"type":"payment","amount":10000000000000000001,"asset":{"type":"native"}}],"memo":{"type":"text","value":"refund"},"max_fee":5000000,"fee_bump":false,"valid_until":"1893456000"}`,
      ),
    );
  });

  const bytes = [...Array.from({ length: 31 }, (_, index) => index), 255].join(",");
  test.each([
    [`--transaction-xdr ${SIGNED} --fee-bump`, `{"network":"mainnet","transaction_xdr":"${SIGNED}","fee_bump":true}`],
    ["--memo none", '{"network":"mainnet","memo":{"type":"none"}}'],
    ["--memo id:9223372036854775807", '{"network":"mainnet","memo":{"type":"id","value":9223372036854775807}}'],
    [`--memo hash:${HASH}`, `{"network":"mainnet","memo":{"type":"hash","value":[${bytes}]}}`],
    [`--memo return:${HASH.toUpperCase()}`, `{"network":"mainnet","memo":{"type":"return","value":[${bytes}]}}`],
    ["--memo text:a:b", '{"network":"mainnet","memo":{"type":"text","value":"a:b"}}'],
    [
      "--no-source-account --no-operations --no-transaction-xdr",
      '{"network":"mainnet","source_account":null,"operations":null,"transaction_xdr":null}',
    ],
    ["--no-memo --no-max-fee --no-valid-until", '{"network":"mainnet","memo":null,"max_fee":null,"valid_until":null}'],
  ])("Stellar: %s", async (flags, expected) => {
    expect(fields(await body(`${STELLAR} --network mainnet ${flags}`, { service: answering({}) }))).toEqual(
      fields(expected),
    );
  });

  test("a file, with flags over its fields and nothing added", async () => {
    const files = { "b.json": '{"value":5,"speed":"fast","valid_until":"2099-01-01T00:00:00Z"}' };
    const without = `${TX} -f b.json --value 6 --no-valid-until`;
    expect(await body(without, { files })).toBe('{"value":6,"speed":"fast"}');
    expect(await body(`${TX} -f -`, { stdin: '{"value":340282366920938463463374607431768211455}' })).toBe(
      '{"value":340282366920938463463374607431768211455}',
    );
  });

  test.each([
    ['"1"', "1"],
    ['"0x1"', "1"],
    [`"${2n ** 128n - 1n}"`, String(2n ** 128n - 1n)],
  ])("the value %s from a file is sent as the integer %s", async (written, sent) => {
    expect(await body(`${TX} -f -`, { stdin: `{"to":"${TO}","value":${written},"speed":"fast"}` })).toBe(
      `{"to":"${TO}","value":${sent},"speed":"fast"}`,
    );
  });

  test.each(['"1eth"', '"-1"', '"0x"', '""', "null", "1.5"])(
    "the value %s from a file is rejected",
    async (written) => {
      const ran = await cli(`${TX} -f - --yes`, { stdin: `{"to":"${TO}","value":${written},"speed":"fast"}` });
      expect(ran).toMatchObject({ exitCode: 2, requests: [], stderr: expect.stringContaining("stdin value") });
    },
  );

  test("null in a file omits a field, except the gas limit, which is sent as null", async () => {
    const unset = ["data", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas", "valid_until", "gas_limit"];
    const stdin = JSON.stringify({
      to: TO,
      value: 1,
      speed: "fast",
      ...Object.fromEntries(unset.map((n) => [n, null])),
    });
    expect(await body(`${TX} -f -`, { stdin })).toBe(`{"to":"${TO}","value":1,"speed":"fast","gas_limit":null}`);
    const created = '{"to":null,"data":"0x60","value":"0","speed":null,"gas_price":1,"gas_limit":60000}';
    expect(await body(`${TX} -f -`, { stdin: created })).toBe(
      '{"data":"0x60","value":0,"gas_price":1,"gas_limit":60000}',
    );
  });

  test("null in a file is sent for a field that Stellar may clear, as its flag sends it", async () => {
    const nulls = ["source_account", "operations", "transaction_xdr", "memo", "valid_until", "fee_bump", "max_fee"];
    const cleared = JSON.stringify(Object.fromEntries(nulls.map((name) => [name, null])));
    const sent = await body(`${STELLAR} --network mainnet -f -`, { service: answering({}), stdin: cleared });
    expect(fields(sent)).toEqual(fields(cleared.replace("{", '{"network":"mainnet",')));
  });

  test("an ID from stdin", () =>
    exits(0, "tx replace eth-main-1 - --value 1 --yes", {
      stdin: "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50\n",
    }));
});

describe("the question before a replacement", () => {
  const shown = async (line: string, world: World = {}) =>
    (await cli(line, { terminal: true, answers: [false], ...world })).stderr;

  test("shows the old values next to the new ones, with full addresses and fields that are not copied", async () => {
    expect(await shown(`${TX} --to ${TO} --value 0.25eth --gas-limit 21000 --speed fastest`)).toBe(
      [
        `replace transaction 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 of eth-main-1 in ${SERVER}`,
        "             now                                         after",
        `  to         0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc  ${TO}`,
        "  value      0.2 ETH                                     0.25 ETH",
        "  gas limit  21000                                       same",
        "  speed      average                                     fastest",
        "  fee        12.5 gwei, tip 1 gwei                       set by the service, at least 10% more except on rollups",
        STAYS_VALID,
        "Canceled. Nothing was sent.",
        "",
      ].join("\n"),
    );
    expect(await shown(`${TX} --value 0`)).toMatch(
      /^ {2}to {5}0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc {2}removed: not copied$/m,
    );
  });

  test("shows only the new values if the transaction cannot be read", async () => {
    const service: Transport = async () => reply(404, "");
    const told = await shown(`${TX} --value 1gwei`, { service });
    expect(told).toContain("note: this service cannot return a single transaction; its current values are unknown\n");
    expect(told).toContain("  value  1000000000 wei\n");
  });

  test("escapes text from the service", async () => {
    const data = '{"id":"t","status":"sent","to":"0x1\\u001b[31m\\nvalue  0 ETH","value":"1"}';
    const service = answering({ "GET /relayers/r/transactions/t": success(data) });
    expect(await shown("tx replace r t --value 2", { service })).toContain(
      "  to     0x1\\u{1b}[31m\\u{a}value  0 ETH  removed",
    );
  });
});

describe("--diff", () => {
  test("shows old and new values before sending with --yes", async () => {
    const ran = await cli(`${TX} --to ${TO} --value 0.25eth --speed fast --yes --diff`);
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toMatch(/^replace transaction .* of eth-main-1 in .*\n {9}now .* after\n/);
    expect(ran.stderr.split(STAYS_VALID)).toHaveLength(2);
  });

  test("reads for a dry run, without confirmation", async () => {
    const ran = await ends({ exitCode: 0, writes: [], questions: [] }, `${TX} --value 0.25eth --dry-run --diff`);
    expect(ran.requests.map(({ target }) => target.split("/").at(-2))).toEqual([
      "transactions",
      "relayers",
      "networks",
      "networks",
    ]);
    expect(ran.stderr).toMatch(/^ {2}value {2}0\.2 ETH +0\.25 ETH$/m);
    expect(ran.stdout).toContain('{"value":250000000000000000}');
  });
});

describe("after a replacement", () => {
  test("the receipt shows the hash before and now, and how to follow it", async () => {
    const ran = await cli(`${TX} --to ${TO} --value 1 --speed fast --yes`);
    expect(ran.stderr).toMatch(
      new RegExp(
        `^${replacementIn(SERVER)}before: 0x[0-9a-f]{64} {2}now: 0x[0-9a-f]{64}\n${STAYS_VALID}\nthe hash may change once more before the broadcast \\(services up to v1\\.8\\)\n${FOLLOW}relayctl tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50\n$`,
      ),
    );
  });

  test("a lost response never causes a second request", async () => {
    const seen: string[] = [];
    const service: Transport = async ({ method, target }) => {
      seen.push(method);
      if (target.endsWith("/relayers/r1")) return reply(404, "");
      return method === "GET"
        ? reply(200, '{"success":true,"data":{"id":"t1","relayer_id":"r1","status":"sent","value":"5"}}')
        : reply(502, "<html>");
    };
    const ran = await cli("tx replace r1 t1 --value 1 --yes -o json", { service });
    expect(seen.filter((method) => method === "PUT")).toHaveLength(1);
    expect(ran.exitCode).toBe(11);
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({
      code: "unknown",
      applied: "unknown",
      retryable: false,
      hint: "relayctl tx get r1 t1",
    });
    expect(error.message).toContain("value: requested 1, got 5");
  });

  test("a price that differs in the response exits with 14, applied yes", async () => {
    const before = '{"id":"t1","relayer_id":"r1","hash":"0x1","value":"0","max_fee_per_gas":"6"}';
    const after = '{"id":"t1","relayer_id":"r1","hash":"0x2","value":"1","max_fee_per_gas":"7","gas_price":null}';
    const path = "/relayers/r1/transactions/t1";
    const service = answering({ [`GET ${path}`]: success(before), [`PUT ${path}`]: success(after) });
    const ran = await exits(14, "tx replace r1 t1 --value 1 --max-fee-per-gas 5wei --yes -o json", { service });
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({ code: "mismatch", applied: "yes" });
    expect(error.message).toContain(
      "max_fee_per_gas: requested 5, got 7; the service set the fee itself: services up to v1.8 ignore the requested price; the hash before: 0x1",
    );
  });

  test("a paused relayer exits with 6, and the hint is the command that resumes the relayer", async () => {
    const ran = await cli(
      `tx replace eth-main-2 b83e6f10-2d4c-4e9b-a7f5-90c1d2e3f471 --to ${TO} --value 1 --speed fast --yes`,
    );
    expect(ran).toMatchObject({
      exitCode: 6,
      writes: [],
      stderr: expect.stringMatching(/^error: Relayer paused\n.*\n {2}hint: relayctl relayers resume eth-main-2\n$/),
    });
  });
});
