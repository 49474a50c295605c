import type { JsonObject } from "../../contract/json.ts";
import type { Handler } from "../handler.ts";
import { NO_DATA, NO_TYPED_DATA, signingBy, signingTransactionBy } from "../handlers/sign.ts";
import { Refusal } from "../refusal.ts";
import { fits, ShapeError, struct, text } from "./serde.ts";
import { typedBody } from "./typed-body.ts";

const loose = { strict: false };
const readMessage = struct("SignDataRequest", { message: text }, { ...loose, required: ["message"] });
const readHashes = struct(
  "SignTypedDataRequest",
  { domain_separator: text, hash_struct_message: text },
  { ...loose, required: ["domain_separator", "hash_struct_message"] },
);
const FORMS = [
  struct("Stellar", { unsigned_xdr: text }, { ...loose, required: ["unsigned_xdr"] }),
  struct("Solana", { transaction: text }, { ...loose, required: ["transaction"] }),
];

export const sign: Handler = signingBy((request) => typedBody(request, readMessage), NO_DATA);

export const signTypedData: Handler = signingBy(
  (request) => typedBody(request, readHashes),
  NO_TYPED_DATA,
  ({ domain_separator: domain, hash_struct_message: message }) => {
    refuseHash("domain separator", String(domain));
    refuseHash("hash struct message", String(message));
  },
);

/** Signs a transaction. The first shape that fits decides. */
export const signTransaction: Handler = signingTransactionBy((request) =>
  typedBody(request, (value) => {
    const form = FORMS.find((read) => fits(read, value));
    if (!form) throw new ShapeError("data did not match any variant of untagged enum SignTransactionRequest");
    return form(value) as JsonObject;
  }),
);

const BYTES = 32;

/** Refuses an invalid hash; either kind is reported with 500 (facts 3.2). */
function refuseHash(what: string, given: string): void {
  const digits = given.replace(/^0x/, "");
  const why = hexProblem(digits) ?? lengthProblem(what, digits.length / 2);
  if (why !== undefined) throw new Refusal(500, `Failed to sign transaction: ${why}`);
}

/** Returns the service's words for invalid hex, as for a key (recorded, signers). */
function hexProblem(digits: string): string | undefined {
  const at = digits.search(/[^0-9a-f]/i);
  if (at >= 0) return `Invalid character '${digits[at]}' at position ${at}`;
  return digits.length % 2 === 1 ? "Odd number of digits" : undefined;
}

function lengthProblem(what: string, length: number): string | undefined {
  return length === BYTES ? undefined : `Invalid ${what} length: expected ${BYTES} bytes, got ${length}`;
}
