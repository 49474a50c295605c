import { isSignedXdr } from "../../../src/contract/requests/transaction/stellar/fields.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { SERIALIZED } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { type ApiRequest, askDemo } from "../ask.ts";
import { askService } from "../openzeppelin/ask-service.ts";

const MAIN = "/relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const CONFIRMED = "/relayers/eth-main-1/transactions/0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60";
const OF_PAUSED = "/relayers/eth-main-2/transactions/b83e6f10-2d4c-4e9b-a7f5-90c1d2e3f471";
const LEGACY = "/relayers/polygon-bulk/transactions/d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293";
const STELLAR = "/relayers/xlm-treasury/transactions/4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
const SOLANA = "/relayers/sol-pay/transactions/9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const BASE64 = "AAAAAgAAAAA=";

test("a replacement keeps the ID, nonce, status, and sender, and changes the hash and the requested fields", async () => {
  const ask = askDemo();
  const before = (await ask("GET", MAIN)).data;
  const { status, data } = await ask("PUT", MAIN, {
    to: TO,
    value: 5,
    gas_limit: 30000,
    data: "0xdeadbeef",
    speed: "fastest",
  });
  expect(status).toBe(200);
  expect(data).toEqual({
    ...before,
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    signature: expect.anything(),
    to: TO,
    value: "5",
    gas_limit: 30000,
    data: "0xdeadbeef",
    speed: "fastest",
    max_fee_per_gas: "29726786547",
    max_priority_fee_per_gas: "1100000000",
  });
  expect(data.hash).not.toBe(before.hash);
  expect((await ask("GET", MAIN)).data).toEqual(data);
});

test("a replacement clears the fields that it leaves out", async () => {
  const { data } = await askDemo()("PUT", MAIN, { value: 0 });
  expect(data).toMatchObject({ to: null, data: null, gas_limit: null, value: "0", speed: "average" });
});

test("each replacement has a new hash, the same in every run", async () => {
  const [first, second] = [askDemo(), askDemo()];
  const hashes = [];
  for (const ask of [first, first, second]) hashes.push((await ask("PUT", MAIN, { value: 1 })).data.hash);
  expect(hashes[1]).not.toBe(hashes[0]);
  expect(hashes[2]).toBe(hashes[0]);
});

test("keeps every digit of a u128 value", async () => {
  const ask = askDemo();
  const most = "340282366920938463463374607431768211455";
  const replaced = await ask("PUT", MAIN, `{"value":${most},"gas_limit":9223372036854775807,"gas_price":${most}}`);
  const fields = `"value":"${most}","data":null,"nonce":7,"gas_limit":9223372036854775807,"gas_price":"${most}"`;
  expect(replaced.text).toContain(fields);
  expect((await ask("GET", MAIN)).text).toContain(fields);
});

// The prices of the transaction are 12.5 gwei and a tip of 1 gwei.
test.each([
  ["nothing", {}, null, "13750000000", "1100000000", "average"],
  ["a speed, whose price is higher", { speed: "safeLow" }, null, "29036786547", "1100000000", "safeLow"],
  ["a price", { gas_price: 90000000000 }, "90000000000", null, null, null],
  ["fee and tip", { max_fee_per_gas: 9, max_priority_fee_per_gas: 8 }, null, "9", "8", null],
  ["a fee", { max_fee_per_gas: 20000000000 }, null, "20000000000", "1100000000", null],
  ["a fee below the tip", { max_fee_per_gas: 5 }, null, "5", "5", null],
  ["a tip", { max_priority_fee_per_gas: 2000000000 }, null, "13750000000", "2000000000", null],
  ["a tip above the fee", { max_priority_fee_per_gas: 20000000000 }, null, "20000000000", "20000000000", null],
])("with %s in the request, the replacement has the right prices", async (_, asked, price, fee, tip, speed) => {
  const { data } = await askDemo()("PUT", MAIN, { to: TO, value: 1, ...asked });
  expect(data).toMatchObject({
    gas_price: price,
    max_fee_per_gas: fee,
    max_priority_fee_per_gas: tip,
    speed,
  });
});

test("raises the price of a legacy transaction, and keeps its type", async () => {
  const { data } = await askDemo()("PUT", LEGACY, { to: TO, value: 1 });
  expect(data).toMatchObject({ gas_price: "33000000000", max_fee_per_gas: null, status: "sent", nonce: 1204 });
});

test("raises prices by at least a tenth each time", async () => {
  const ask = askDemo();
  await ask("PUT", MAIN, { value: 1, max_fee_per_gas: 11, max_priority_fee_per_gas: 0 });
  const fees = [];
  for (let times = 0; times < 3; times++) {
    const { data } = await ask("PUT", MAIN, { value: 1 });
    fees.push([data.max_fee_per_gas, data.max_priority_fee_per_gas]);
  }
  expect(fees).toEqual([
    ["13", "1"],
    ["15", "2"],
    ["17", "3"],
  ]);
});

test.each(["{}", '{"network":"testnet"}', '{"transaction":"AQAB"}'])(
  "refuses the replacement %s and changes nothing",
  async (body) => {
    const ask = askDemo();
    const before = (await ask("GET", MAIN)).text;
    const reply = await ask("PUT", MAIN, body);
    expect(reply.status).toBe(400);
    expect(reply.text).toBe('{"success":false,"data":null,"message":"Bad Request"}');
    expect((await ask("GET", MAIN)).text).toBe(before);
  },
);

test("refuses to replace a final transaction, and shows its status", async () => {
  const { status, text } = await askDemo()("PUT", CONFIRMED, { value: 1 });
  expect(status).toBe(400);
  expect(text).toBe(
    '{"success":false,"data":null,"message":"Invalid transaction state for replace_transaction. Current: Confirmed, Expected one of: [Pending, Sent, Submitted]"}',
  );
});

test("a transaction of another relayer is not found", async () => {
  const { status, json } = await askDemo()("PUT", OF_PAUSED.replace("eth-main-2", "eth-main-1"), { value: 1 });
  expect([status, json?.message]).toEqual([404, "Not found"]);
});

test("a paused relayer replaces no transaction until it is resumed", async () => {
  const ask = askDemo();
  const refused = await ask("PUT", OF_PAUSED, { value: 1 });
  expect([refused.status, refused.json?.message]).toEqual([403, "Relayer paused"]);
  await ask("PATCH", "/relayers/eth-main-2", { paused: false });
  expect((await ask("PUT", OF_PAUSED, { value: 1 })).status).toBe(200);
});

test("a disabled relayer replaces no transaction; if it is also paused, the error says paused", async () => {
  const ask = askDemo();
  const path = "/relayers/eth-sepolia/transactions/t1";
  expect((await ask("PUT", path, { value: 1 })).json?.message).toBe("Relayer disabled");
  await ask("PATCH", "/relayers/eth-sepolia", { paused: true });
  expect((await ask("PUT", path, { value: 1 })).json?.message).toBe("Relayer paused");
});

test("replaces a Stellar transaction with another hash, account, and limited fee", async () => {
  const ask = askDemo();
  const before = (await ask("GET", STELLAR)).data;
  const account = "GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM";
  const { status, data } = await ask("PUT", STELLAR, {
    network: "mainnet",
    source_account: account,
    operations: [{ type: "payment" }],
    memo: { type: "text", value: "rent" },
  });
  expect(status).toBe(200);
  expect(data).toEqual({
    ...before,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    source_account: account,
    fee: 110,
  });
  expect(data.hash).not.toBe(before.hash);
  expect((await ask("PUT", STELLAR, { network: "mainnet", max_fee: 105 })).data.fee).toBe(105);
});

test("rejects an EVM body on Stellar", async () =>
  expect((await askDemo()("PUT", STELLAR, { value: 1 })).status).toBe(400));

test("replaces a Solana transaction", async () => {
  const ask = askDemo();
  const before = (await ask("GET", SOLANA)).data;
  const { status, data } = await ask("PUT", SOLANA, { transaction: BASE64 });
  expect(status).toBe(200);
  expect(data).toEqual({ ...before, transaction: BASE64, hash: expect.stringMatching(/^[1-9a-g]{88}$/) });
  expect(data.hash).not.toBe(before.hash);
});

test("rejects an EVM body on Solana", async () =>
  expect((await askDemo()("PUT", SOLANA, { value: 1 })).status).toBe(400));

describe("sponsored transactions", () => {
  const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
  const USDC = `USDC:${ACCOUNT}`;
  const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
  const XDR = envelopeXdr(0);
  const PAYMENT = { type: "payment", destination: ACCOUNT, amount: "10000000", asset: { type: "native" } };

  const SOLANA = { transaction: SERIALIZED, fee_token: MINT };
  const STELLAR = { transaction_xdr: XDR, fee_token: USDC };
  const OPERATIONS = { operations: [PAYMENT, PAYMENT], source_account: ACCOUNT, fee_token: "native" };

  const path = (relayer: string, verb: string) => `/relayers/${relayer}/transactions/sponsored/${verb}`;

  /** The story, in which the treasury's users may pay. */
  function askWithUsers(policies: object = {}): ApiRequest {
    const state = seedState("demo");
    const treasury = { ...state.relayers.get("xlm-treasury"), id: "xlm-treasury" };
    state.relayers.put({ ...treasury, policies: { fee_payment_strategy: "user", ...policies } });
    return askDemo({ store: memoryStore(state) });
  }

  describe("a quote", () => {
    test("of a Solana transaction has the fee as a decimal number, and the rate", async () => {
      const { data } = await askDemo()("POST", path("sol-pay", "quote"), SOLANA);
      expect(data).toEqual({ estimated_fee: "0.001518", conversion_rate: "151.73" });
    });

    test("of a Stellar transaction has the fee in both formats", async () => {
      const { data } = await askDemo()("POST", path("xlm-treasury", "quote"), STELLAR);
      expect(data).toEqual({ fee_in_token_ui: "0.000002", fee_in_token: "20", conversion_rate: "0.1" });
    });

    test("counts operations, and quotes the network's coin at a rate of 1", async () => {
      const { data } = await askDemo()("POST", path("xlm-treasury", "quote"), OPERATIONS);
      expect(data).toEqual({ fee_in_token_ui: "0.00003", fee_in_token: "300", conversion_rate: "1" });
    });

    test("uses the decimals that the policy lists for a token", async () => {
      const listed = (decimals: number) => ({
        allowed_tokens: [{ asset: USDC, metadata: { kind: "native", decimals, canonical_asset_id: USDC } }],
      });
      const quoted = async (decimals: number) =>
        (await askWithUsers(listed(decimals))("POST", path("xlm-treasury", "quote"), STELLAR)).data.fee_in_token;
      expect(await quoted(18)).toBe("2000000000000");
      expect(await quoted(0)).toBe("1");
      expect(await quoted(4_000_000_000)).toBe("20");
    });
  });

  describe("a built transaction", () => {
    test("on Solana is the transaction with its fee in both coins", async () => {
      const { data } = await askDemo()("POST", path("sol-pay", "build"), SOLANA);
      expect(data).toEqual({
        transaction: SERIALIZED,
        fee_in_spl: "1518",
        fee_in_lamports: "10000",
        fee_token: MINT,
        valid_until_blockheight: expect.any(Number),
      });
    });

    test("on Stellar is the envelope, valid for two minutes", async () => {
      const { data } = await askWithUsers()("POST", path("xlm-treasury", "build"), STELLAR);
      expect(data).toEqual({
        transaction: XDR,
        fee_in_token: "20",
        fee_in_token_ui: "0.000002",
        fee_in_stroops: "200",
        fee_token: USDC,
        valid_until: "2026-11-21T03:14:07.000000000+00:00",
      });
    });

    test("from operations is an unsigned envelope, the same for the same operations", async () => {
      const built = async () => {
        const { data } = await askWithUsers()("POST", path("xlm-treasury", "build"), OPERATIONS);
        return String(data.transaction);
      };
      expect(isSignedXdr(await built())).toBe(false);
      expect(await built()).toBe(await built());
    });
  });

  const REFUSALS: readonly [relayer: string, verb: string, body: object, status: number, words: string][] = [
    ["eth-main-1", "quote", SOLANA, 400, "Gas abstraction not supported for EVM relayers"],
    ["xlm-treasury", "quote", SOLANA, 400, "Solana request type does not match Stellar relayer type"],
    ["sol-pay", "build", STELLAR, 400, "Stellar request type does not match Solana relayer type"],
    ["xlm-treasury", "build", STELLAR, 400, "Gas abstraction requires fee_payment_strategy: User"],
    ["xlm-treasury", "quote", { fee_token: USDC }, 400, "Must provide either transaction_xdr or operations"],
    ["xlm-treasury", "quote", { ...STELLAR, ...OPERATIONS }, 400, "Cannot provide both transaction_xdr and operations"],
    ["xlm-pay", "quote", STELLAR, 403, "Relayer disabled"],
    ["eth-main-2", "quote", SOLANA, 403, "Relayer paused"],
    ["zz", "build", SOLANA, 404, "Relayer with ID zz not found"],
  ];

  test.each(REFUSALS)(
    "a request is refused with the service's message in both dialects: %s %s %#",
    async (relayer, verb, body, status, words) => {
      const plain = await askDemo()("POST", path(relayer, verb), body);
      expect([plain.status, plain.json?.message]).toEqual([status, words]);
      const { status: other, text } = await askService().ask("POST", path(relayer, verb), body);
      expect([other, JSON.parse(text).error]).toEqual([status, words]);
    },
  );

  describe("a body of an unknown shape is refused before the relayer is looked up", () => {
    test("as text in the dialect of the real service", async () => {
      const { status, text } = await askService().ask("POST", path("zz", "quote"), { fee_token: USDC, nonsense: 1 });
      expect(status).toBe(400);
      expect(text).toMatch(
        /^Json deserialize error: data did not match any variant of untagged enum \w+QuoteRequest at line 1 column \d+$/,
      );
    });

    test("as JSON in the dialect of the interface", async () =>
      expect(await askDemo()("POST", path("zz", "quote"), [])).toMatchObject({
        status: 400,
        json: { message: "Bad Request" },
      }));
  });
});
