import { isSignedXdr } from "../../../src/contract/encoding/xdr.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { SERIALIZED } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { type ApiRequest, askDemo } from "../ask.ts";
import { askService } from "../openzeppelin/ask-service.ts";

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
