import type { JsonObject } from "../../../src/contract/json.ts";
import { relayerRules } from "../../../src/contract/relayer-rules.ts";
import { solanaFeePayer } from "../../../src/contract/transaction/solana-transaction.ts";
import { serializedTransaction } from "../solana-transaction.ts";

const OWN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const OTHER = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

const broken = (body: JsonObject, policies: JsonObject = { fee_payment_strategy: "relayer" }) =>
  relayerRules.solana(body, { id: "r", address: OWN, policies }).map(({ path, rule }) => `${path}: ${rule}`);

describe("the fee payer", () => {
  test.each([false, true])("is the first account of the message (with a version: %s)", (versioned) => {
    expect(solanaFeePayer(serializedTransaction({ payer: OTHER, versioned }))).toBe(OTHER);
  });

  test.each(["", "AQAB", "AAAA", serializedTransaction({ payer: OTHER }).slice(0, 120)])("is missing in %j", (text) => {
    expect(solanaFeePayer(text)).toBeUndefined();
  });

  test("must be the relayer", () => {
    expect(broken({ transaction: serializedTransaction({ payer: OWN }) })).toEqual([]);
    expect(broken({ transaction: serializedTransaction({ payer: OTHER }) })).toEqual([
      `transaction: Transaction fee payer ${OTHER} does not match relayer address ${OWN}`,
    ]);
  });
});

describe("the signers", () => {
  const instructions = (pubkey: string, is_signer: boolean) => [
    { program_id: OTHER, accounts: [{ pubkey, is_signer, is_writable: true }], data: "" },
  ];

  test("may only be the relayer", () => {
    expect(broken({ instructions: instructions(OWN, true) })).toEqual([]);
    expect(broken({ instructions: instructions(OTHER, false) })).toEqual([]);
    expect(broken({ instructions: instructions(OTHER, true) })).toEqual([
      `instructions.0.accounts.0: Only the relayer address ${OWN} can be marked as a signer, but '${OTHER}' is marked as a signer. The relayer can only provide its own signature.`,
    ]);
  });

  test("rule out instructions if users pay", () => {
    const body = { instructions: instructions(OWN, true) };
    expect(broken(body, { fee_payment_strategy: "relayer" })).toEqual([]);
    for (const unset of [{ fee_payment_strategy: "user" }, { fee_payment_strategy: null }, {}])
      expect(broken(body, unset)).toHaveLength(1);
  });
});

test("no rule is checked if the relayer's address is unknown", () =>
  expect(relayerRules.solana({ transaction: serializedTransaction({ payer: OTHER }) }, { id: "r" })).toEqual([]));
