import { serializedSolanaProblem } from "../../../src/contract/transaction/solana-transaction.ts";
import { SERIALIZED, serializedTransaction } from "../solana-transaction.ts";

const CUT = "Failed to decode transaction: Failed to deserialize transaction: io error: unexpected end of file";

/** No signature, no account, a blockhash and no instruction. */
const NO_ACCOUNT = Buffer.from([0, 0, 0, 0, 0, ...Array<number>(32).fill(9), 0]).toString("base64");
/** One instruction that promises more bytes than there are. */
const SHORT_DATA = Buffer.from([...Buffer.from(NO_ACCOUNT, "base64").subarray(0, -1), 1, 0, 0, 9, 1]);

test.each([SERIALIZED, serializedTransaction({ payer: "1".repeat(32), versioned: true })])("%s is valid", (text) => {
  expect(serializedSolanaProblem(text)).toBeUndefined();
});

test.each([
  ["AAAA", CUT],
  ["AQABAg==", CUT],
  [Buffer.from(SERIALIZED, "base64").subarray(0, -1).toString("base64"), CUT],
  [SHORT_DATA.toString("base64"), CUT],
  [NO_ACCOUNT, "Transaction has no fee payer account"],
  ["", "Failed to decode transaction: it is not base64"],
  ["AAA", "Failed to decode transaction: it is not base64"],
])("%s is rejected with the service's message", (text, problem) => expect(serializedSolanaProblem(text)).toBe(problem));
