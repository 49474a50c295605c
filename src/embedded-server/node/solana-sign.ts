import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { hexDigits, seedOf } from "../digits.ts";
import { Refusal } from "../refusal.ts";

/** A method that the service handles itself, instead of a node (facts 3.3); facts 7.3 shows its result. */
export const SOLANA_SIGN = "signTransaction";

/**
 * The result of `signTransaction`, which signs nothing: nobody here holds a key.
 * @throws Refusal
 */
export function signedOnSolana(params: JsonValue | undefined): JsonObject {
  const { transaction } = isJsonObject(params) ? params : {};
  if (typeof transaction === "string") return { transaction, signature: signatureText(transaction) };
  throw new Refusal(400, "Invalid Solana RPC request: missing field `transaction`");
}

/** As long as a signature of Solana, and the same for the same transaction. */
export function signatureText(transaction: string): string {
  return hexDigits(seedOf(transaction), 88);
}
