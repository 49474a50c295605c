import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { signMessageSchema, signTransactionSchema, signTypedDataSchema } from "../../contract/requests.ts";
import { jsonBody, valid } from "../body.ts";
import { hexDigits, seedOf } from "../digits.ts";
import type { DemoCall, Handler } from "../handler.ts";
import { signatureText } from "../node/solana-sign.ts";
import { Refusal, unsupportedOnSolana } from "../refusal.ts";
import { kindOf } from "../relayer-kind.ts";
import { activeRelayer } from "../transaction/lookup.ts";

/** service-facts 3.2. Nothing here holds a key: what is answered looks like a signature and signs nothing. */
export const sign: Handler = async (call) => {
  const { message } = valid(signMessageSchema, jsonBody(call.request));
  return { data: await signed(call, message, "Signing data not supported for Stellar") };
};

export const signTypedData: Handler = async (call) => {
  const hashes = valid(signTypedDataSchema, jsonBody(call.request));
  const text = hashes.domain_separator + hashes.hash_struct_message;
  return { data: await signed(call, text, "Signing typed data not supported for Stellar") };
};

export const signTransaction: Handler = async (call) => {
  const { unsigned_xdr: xdr, transaction } = valid(signTransactionSchema, jsonBody(call.request));
  const kind = await kindIn(call);
  if (kind === "evm") throw new Refusal(400, "sign_transaction not supported for EVM");
  if (kind === "stellar") return { data: withSignature("signedXdr", xdr, "Stellar") };
  return { data: withSignature("transaction", transaction, "Solana") };
};

async function signed(call: DemoCall, text: string, forStellar: string): Promise<JsonObject> {
  const kind = await kindIn(call);
  if (kind === "solana") throw unsupportedOnSolana();
  if (kind === "stellar") throw new Refusal(400, forStellar);
  return signature(text);
}

async function kindIn({ ids: [id = ""], store }: DemoCall): Promise<NetworkKind> {
  return store.read((state) => kindOf(activeRelayer(state, id)));
}

function withSignature(member: string, text: string | undefined, kind: string): JsonObject {
  if (text === undefined) throw new Refusal(400, `Invalid request type for ${kind} relayer`);
  return { [member]: text, signature: signatureText(text) };
}

/** Hex without `0x`, and the same for the same text. */
function signature(text: string): JsonObject {
  const number = seedOf(text);
  const [r, s, v] = [hexDigits(number, 64), hexDigits(number + 1, 64), 27 + (number % 2)];
  return { r, s, v, sig: `${r}${s}${v.toString(16)}` };
}
