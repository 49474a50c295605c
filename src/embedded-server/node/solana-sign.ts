import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { hexDigits, seedOf } from "../digits.ts";
import { Refusal } from "../refusal.ts";

/** A method that the service handles itself, without a node (facts 3.3); its result is in facts 7.3. */
export const SOLANA_SIGN = "signTransaction";

/** Returns the result of `signTransaction`, which signs nothing: there is no key. @throws Refusal */
export function signedOnSolana(params: JsonValue | undefined): JsonObject {
  const { transaction } = isJsonObject(params) ? params : {};
  if (typeof transaction === "string") return { transaction, signature: signatureText(transaction) };
  throw new Refusal(400, "Invalid Solana RPC request: missing field `transaction`");
}

/** Returns a text as long as a Solana signature, the same for the same transaction. */
export function signatureText(transaction: string): string {
  return hexDigits(seedOf(transaction), 88);
}
