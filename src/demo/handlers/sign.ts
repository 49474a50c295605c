import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { signMessageSchema, signTransactionSchema, signTypedDataSchema } from "../../contract/requests.ts";
import { jsonBody, valid } from "../body.ts";
import { hexDigits } from "../digits.ts";
import type { DemoCall, Handler } from "../handler.ts";
import { Refusal, relayerMissing } from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";

/** service-facts 3.2. Nothing here holds a key: what is answered looks like a signature and signs nothing. */
export const sign: Handler = async (call) => {
  const { message } = valid(signMessageSchema, jsonBody(call.request));
  const words = "Signing data not supported for Stellar";
  return { data: await signedBy(call, words, () => signature(message)) };
};

export const signTypedData: Handler = async (call) => {
  const hashes = valid(signTypedDataSchema, jsonBody(call.request));
  const words = "Signing typed data not supported for Stellar";
  return { data: await signedBy(call, words, () => signature(hashes.domain_separator + hashes.hash_struct_message)) };
};

export const signTransaction: Handler = async (call) => {
  const { unsigned_xdr: xdr, transaction } = valid(signTransactionSchema, jsonBody(call.request));
  const kind = await kindIn(call);
  if (kind === "evm") throw new Refusal(400, "sign_transaction not supported for EVM");
  const text = kind === "stellar" ? xdr : transaction;
  const name = kind === "stellar" ? "Stellar" : "Solana";
  if (text === undefined) throw new Refusal(400, `Invalid request type for ${name} relayer`);
  const made = hexDigits(numberOf(text), 88);
  return { data: kind === "stellar" ? { signedXdr: text, signature: made } : { transaction: text, signature: made } };
};

async function signedBy(call: DemoCall, forStellar: string, make: () => JsonObject): Promise<JsonObject> {
  const kind = await kindIn(call);
  if (kind === "solana") throw new Refusal(400, "Endpoint is not supported for Solana relayers");
  if (kind === "stellar") throw new Refusal(400, forStellar);
  return make();
}

async function kindIn({ ids: [id = ""], store }: DemoCall): Promise<NetworkKind> {
  return store.read(({ relayers }) => {
    const relayer = relayers.get(id);
    if (!relayer) throw relayerMissing(id);
    return kindOf(relayer);
  });
}

/** Hex without `0x`, and the same for the same text. */
function signature(text: string): JsonObject {
  const number = numberOf(text);
  const [r, s, v] = [hexDigits(number, 64), hexDigits(number + 1, 64), 27 + (number % 2)];
  return { r, s, v, sig: `${r}${s}${v.toString(16)}` };
}

function numberOf(text: string): number {
  return [...text].reduce((number, character) => (number * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 31, 7);
}
