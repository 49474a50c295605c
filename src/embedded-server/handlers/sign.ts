import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { signMessageSchema, signTransactionSchema, signTypedDataSchema } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { digitSeed, hexDigits, signatureDigits } from "../digits.ts";
import { type Handler, type HandlerCall, handlerJsonBody, validatedBody } from "../handler.ts";
import { Refusal, unsupportedOnSolana } from "../refusal.ts";
import { lookUpActiveRelayer, servedKind } from "../transaction/lookup.ts";

export type ReadSigned = (request: WireRequest) => JsonObject;
type Validator = (body: JsonObject) => void;

/** Returns a fake signature (facts 3.2), since there is no key. */
export function signHandler(read: ReadSigned, forStellar: string, validate: Validator = () => {}): Handler {
  return async (call) => {
    const body = read(call.request);
    const kind = await kindIn(call);
    if (kind === "solana") throw unsupportedOnSolana();
    if (kind === "stellar") throw new Refusal(400, forStellar);
    validate(body);
    return { data: signText(Object.values(body).join("")) };
  };
}

export const NO_DATA = "Signing data not supported for Stellar";
export const NO_TYPED_DATA = "Signing typed data not supported for Stellar";

export function signTransactionHandler(read: ReadSigned): Handler {
  return async (call) => {
    const { unsigned_xdr: xdr, transaction } = read(call.request);
    const kind = await kindIn(call);
    if (kind === "evm") throw new Refusal(400, "sign_transaction not supported for EVM");
    if (kind === "stellar") return { data: withSignature("signedXdr", xdr, "Stellar") };
    return { data: withSignature("transaction", transaction, "Solana") };
  };
}

export const sign = signHandler((request) => validatedBody(signMessageSchema, handlerJsonBody(request)), NO_DATA);
export const signTypedData = signHandler(
  (request) => validatedBody(signTypedDataSchema, handlerJsonBody(request)),
  NO_TYPED_DATA,
);
export const signTransaction = signTransactionHandler((request) =>
  validatedBody(signTransactionSchema, handlerJsonBody(request)),
);

async function kindIn({ ids: [id = ""], store }: HandlerCall): Promise<NetworkKind> {
  return store.read((state) => servedKind(lookUpActiveRelayer(state, id)));
}

function withSignature(field: string, text: JsonValue | undefined, kind: string): JsonObject {
  if (typeof text !== "string") throw new Refusal(400, `Invalid request type for ${kind} relayer`);
  return { [field]: text, signature: signatureDigits(text) };
}

/** Returns hex without `0x`, the same for the same text. */
function signText(text: string): JsonObject {
  const number = digitSeed(text);
  const [r, s, v] = [hexDigits(number, 64), hexDigits(number + 1, 64), 27 + (number % 2)];
  return { r, s, v, sig: `${r}${s}${v.toString(16)}` };
}
