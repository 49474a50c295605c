import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { bodyFile, expectRefused } from "./refused.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

const instruction = (fields: object) => ({
  instructions: [{ program_id: PROGRAM, accounts: [], data: "", ...fields }],
});
const account = (pubkey: string) => ({ pubkey, is_signer: false, is_writable: false });

const SOLANA: readonly (readonly [body: object, words: string])[] = [
  [instruction({ program_id: "" }), "instructions.0.program_id (empty): program_id cannot be empty"],
  [instruction({ accounts: [account("")] }), "instructions.0.accounts.0.pubkey (empty): pubkey cannot be empty"],
  [{ ...instruction({}), valid_until: "soon" }, "valid_until must be a valid RFC3339 timestamp"],
  [{ ...instruction({}), valid_until: "2020-01-01T00:00:00Z" }, "valid_until cannot be in the past"],
];

const PAYMENT = { type: "payment", destination: ACCOUNT, amount: "1", asset: { type: "native" } };

/** The rules themselves are in test/contract/requests. */
describe("the service's rules for transactions are checked before any request", () => {
  test("EVM: the largest value", () => {
    const line = `tx send r1 --to ${TO} --speed fast --yes --value ${2n ** 256n}`;
    return expectRefused(line, `--value ${2n ** 256n}: a whole number of wei from 0 to 2^256-1\n`);
  });

  test.each(SOLANA)("Solana %j: %s", (body, words) =>
    expectRefused("tx send r1 --network-type solana -f body.json --yes", words, bodyFile(body)),
  );

  test("Stellar: what excludes each other", () => {
    const body = { network: "testnet", operations: [PAYMENT], transaction_xdr: envelopeXdr(0) };
    return expectRefused(
      "tx send r1 -f body.json --yes",
      "Cannot provide both operations and transaction_xdr",
      bodyFile(body),
    );
  });
});
