import { sponsoredSchemas } from "../../../src/contract/requests.ts";
import { issuesOf } from "../issues.ts";
import { SERIALIZED } from "../solana-transaction.ts";
import { envelopeXdr } from "../xdr-envelope.ts";

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
