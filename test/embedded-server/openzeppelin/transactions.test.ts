import { askService } from "./ask-service.ts";

const PATH = "/relayers/evm-1/transactions";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const AVERAGE = { to: TO, value: "1000000000000", gas_limit: 21000, speed: "average" };

/** A service with one transaction that was just sent. */
async function world() {
  const { ask, clock } = askService();
  const { id } = (await ask("POST", PATH, AVERAGE)).data;
  const path = `${PATH}/${id}`;
  const at = async (time: number) => {
    clock.time = time;
    return (await ask("GET", path)).data;
  };
  return { ask, id, path, at };
}

test("a replacement after an accepted cancellation is a transfer again, and is confirmed as a transfer", async () => {
  const { ask, path, at } = await world();
  await at(5000);
  await ask("DELETE", path);
  const { data } = await ask("PUT", path, { to: TO, value: "9", speed: "fastest" });
  const transfer = { to: TO, value: "0x9", is_canceled: false, status_reason: null };
  expect(data).toMatchObject(transfer);
  expect(await at(120_000)).toMatchObject({ ...transfer, status: "confirmed" });
});

test("a transaction of another relayer is returned and canceled", async () => {
  const { ask, id } = await world();
  expect((await ask("GET", `/relayers/base-hot/transactions/${id}`)).data.relayer_id).toBe("evm-1");
  expect((await ask("DELETE", `/relayers/base-hot/transactions/${id}`)).status).toBe(200);
});

test("a paused relayer replaces no transaction", async () => {
  const { status, text } = await askService().ask("PUT", "/relayers/eth-main-2/transactions/t1", AVERAGE);
  expect([status, JSON.parse(text).error]).toEqual([403, "Relayer paused"]);
});

test("a value may be above 2^128", async () => {
  const value = "340282366920938463463374607431768211456";
  expect((await askService().ask("POST", PATH, { ...AVERAGE, value })).data.value).toBe(`0x1${"0".repeat(32)}`);
});

test("Stellar responds to a replacement with the unchanged transaction", async () => {
  const { ask } = askService();
  const path = "/relayers/xlm-treasury/transactions/4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
  const before = await ask("GET", path);
  const account = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
  const payment = { type: "payment", destination: account, amount: "1", asset: { type: "native" } };
  const replaced = await ask("PUT", path, { network: "mainnet", operations: [payment] });
  expect([replaced.status, replaced.data]).toEqual([200, before.data]);
  expect(before.data.sequence_number).toBe("4294967297");
});

test("Solana leaves out unset fields and the relayer", async () => {
  const path = "/relayers/sol-pay/transactions/9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
  const { data } = await askService().ask("GET", path);
  expect(Object.keys(data)).toEqual(["id", "signature", "status", "created_at", "sent_at", "transaction"]);
});

const STELLAR = "/relayers/xlm-treasury/transactions";
const SOLANA = "/relayers/sol-pay/transactions";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const CONTRACT = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
const PAYMENT = { type: "payment", destination: ACCOUNT, amount: "10000000", asset: { type: "native" } };

const paying = (more: object) => ({ network: "testnet", operations: [PAYMENT], ...more });
const ofPayment = (more: object) => ({ network: "testnet", operations: [{ ...PAYMENT, ...more }] });

async function errorOf(method: "POST" | "PUT", path: string, body: unknown) {
  const { status, text } = await askService().ask(method, path, body);
  return [status, JSON.parse(text).error];
}

describe("a Stellar transaction", () => {
  test.each([
    [
      paying({ memo: { type: "note" } }),
      "unknown variant `note`, expected one of `none`, `text`, `id`, `hash`, `return`",
    ],
    [paying({ memo: { type: "text" } }), "missing field `value`"],
    [{ operations: [PAYMENT] }, "missing field `network`"],
    [
      { network: "testnet", operations: Array(101).fill(PAYMENT) },
      "Transaction validation error: Transaction validation error: " +
        "Transaction has 101 operations, but maximum allowed is 100",
    ],
  ])("is refused with the service's message: %j", async (body, error) => {
    expect(await errorOf("POST", STELLAR, body)).toEqual([400, error]);
  });
});

test.each([
  ["AAAAAgAA", "failed to fill whole buffer"],
  ["no XDR", "Invalid byte 32, offset 2."],
  ["AAAAA", "Encoded text cannot have a 6-bit remainder."],
  ["/////wAAAAA=", "xdr value invalid"],
])("invalid XDR %j is refused with %s", async (transaction_xdr, words) => {
  const error = `Transaction validation error: Invalid XDR: ${words}`;
  expect(await errorOf("POST", STELLAR, { network: "testnet", transaction_xdr })).toEqual([400, error]);
});

describe("a Stellar transaction that cannot be prepared", () => {
  const invoke = (args: unknown) => ({
    network: "testnet",
    operations: [{ type: "invoke_contract", contract_address: CONTRACT, function_name: "f", args }],
  });

  async function end(body: unknown) {
    const { ask, clock } = askService();
    const { status, data } = await ask("POST", STELLAR, body);
    clock.time = 60_000;
    const later = (await ask("GET", `${STELLAR}/${data.id}`)).data;
    return [status, data.status, later.status, later.status_reason];
  }

  test.each([
    [ofPayment({ destination: "GABC" }), "operations.0.destination"],
    [ofPayment({ asset: { type: "credit4", code: "TOOLONG", issuer: ACCOUNT } }), "operations.0.asset.code"],
    [invoke([{ u32: -1 }]), "operations.0.args.0.u32"],
  ])("%j is accepted and then fails", async (body, place) => {
    const [taken, first, last, why] = await end(body);
    expect([taken, first, last]).toEqual([200, "pending", "failed"]);
    expect(why).toContain(`Transaction validation error: ${place}: `);
  });

  test.each([[paying({ nonsense: 1 })], [paying({ valid_until: "soon" })], [invoke([{ u32: 1 }])]])(
    "%j is accepted and confirmed",
    async (body) => expect(await end(body)).toEqual([200, "pending", "confirmed", null]),
  );
});

describe("a Solana transaction", () => {
  const instruction = { program_id: "11111111111111111111111111111112", accounts: [], data: "AAAA" };
  const decoding = "Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file";

  test.each([
    ["POST", SOLANA, { transaction: "AAAA" }, decoding],
    [
      "POST",
      SOLANA,
      { instructions: [{ ...instruction, program_id: "" }] },
      "Instruction 0: program_id cannot be empty",
    ],
    [
      "POST",
      SOLANA,
      { instructions: [{ ...instruction, accounts: 1 }] },
      "invalid type: integer `1`, expected a sequence",
    ],
    ["POST", SOLANA, { transaction: "AAAA", valid_until: "soon" }, "valid_until must be a valid RFC3339 timestamp"],
    ["POST", SOLANA, { transaction: "AAAA", valid_until: "2020-01-01T00:00:00Z" }, "valid_until cannot be in the past"],
  ] as const)("%s %s %j is refused with the service's message", async (method, path, body, error) => {
    expect(await errorOf(method, path, body)).toEqual([400, error]);
  });

  test("is refused as a replacement after its body is parsed", async () => {
    const { ask, state } = askService();
    state.relayers.put({
      ...state.relayers.get("sol-pay"),
      id: "sol-pay",
      policies: { fee_payment_strategy: "relayer" },
    });
    const { status, text } = await ask("PUT", `${SOLANA}/any`, { instructions: [instruction] });
    expect([status, JSON.parse(text).error]).toEqual([400, "Endpoint is not supported for Solana relayers"]);
  });
});

test.each([
  ['{"a":', "EOF while parsing a value at line 1 column 5"],
  ['{"a":1,\n', "EOF while parsing a value at line 2 column 0"],
  ['{"a', "EOF while parsing a string at line 1 column 3"],
  ["[1", "EOF while parsing a list at line 1 column 2"],
  ["", "EOF while parsing a value at line 1 column 0"],
  ["{a", "key must be a string at line 1 column 2"],
  ["{}x", "trailing characters at line 1 column 3"],
])("a body that is not JSON is reported with the parser error of the service: %j: %s", async (body, words) => {
  const path = "/relayers/evm-1/transactions/any";
  const { status, text } = await askService().ask("PUT", path, body, { "content-type": "application/json" });
  expect([status, text]).toEqual([400, `Json deserialize error: ${words}`]);
});
