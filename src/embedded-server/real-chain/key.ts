import { fromPublicKey } from "ox/Address";
import { keccak256 } from "ox/Hash";
import { concat, fromString, type Hex } from "ox/Hex";
import { getSignPayload as messagePayload } from "ox/PersonalMessage";
import { getPublicKey, randomPrivateKey, sign } from "ox/Secp256k1";
import * as feeMarket from "ox/TxEnvelopeEip1559";
import * as legacy from "ox/TxEnvelopeLegacy";
import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import type { Resource } from "../state/collection.ts";

/** The key of a relayer on a real chain. It signs with secp256k1, and never leaves this object. */
export type LocalKey = ReturnType<typeof openKey>;

export const makeKey = randomPrivateKey;

export function openKey(privateKey: Hex) {
  const signHash: Sign = (payload) => sign<"Object">({ payload, privateKey });
  return {
    address: fromPublicKey(getPublicKey({ privateKey })).toLowerCase(),
    /** @returns the hash and signature for the record, and the bytes to broadcast */
    signRecord(record: Resource, chainId: number) {
      const own = { ...readParts(record), chainId };
      const isFeeMarket = typeof record.max_fee_per_gas === "string";
      const { bytes, signature } = isFeeMarket
        ? sealFeeMarket(record, own, signHash)
        : sealLegacy(record, own, signHash);
      const v = signature.yParity + (isFeeMarket ? 0 : 27);
      return { members: { hash: keccak256(bytes), signature: shownSignature(signature, v) }, bytes };
    },
    /** Signs a text as wallets do (EIP-191). */
    signMessage: (message: string) => shownHash(signHash(messagePayload(fromString(message)))),
    /** Signs EIP-712 data by its two hashes, each 32 bytes in hex. */
    signTypedData: (domain: string, struct: string) =>
      shownHash(signHash(keccak256(concat("0x1901", asHex(domain), asHex(struct))))),
  };
}

type Signature = sign.ReturnType<"Object">;
type Sign = (payload: Hex) => Signature;
type Parts = ReturnType<typeof readParts> & { chainId: number };

function readParts({ nonce, gas_limit: gas, to, value, data }: Resource) {
  return {
    nonce: BigInt(Number(nonce)),
    gas: wireAmount(gas) ?? TRANSFER_GAS,
    value: wireAmount(value) ?? 0n,
    ...(typeof to === "string" && { to: asHex(to) }),
    ...(typeof data === "string" && { data: asHex(data) }),
  };
}

function sealFeeMarket(record: Resource, own: Parts, signHash: Sign): { bytes: Hex; signature: Signature } {
  const maxFeePerGas = readPrice(record.max_fee_per_gas);
  const envelope = feeMarket.from({
    ...own,
    maxFeePerGas,
    maxPriorityFeePerGas: readPrice(record.max_priority_fee_per_gas),
  });
  const signature = signHash(feeMarket.getSignPayload(envelope));
  return { bytes: feeMarket.serialize(envelope, { signature }), signature };
}

function sealLegacy(record: Resource, own: Parts, signHash: Sign): { bytes: Hex; signature: Signature } {
  const envelope = legacy.from({ ...own, gasPrice: readPrice(record.gas_price) });
  const signature = signHash(legacy.getSignPayload(envelope));
  return { bytes: legacy.serialize(envelope, { signature }), signature };
}

function readPrice(member: JsonValue | undefined): bigint {
  return wireAmount(member) ?? 0n;
}

function asHex(text: string): Hex {
  return text.startsWith("0x") ? (text as Hex) : `0x${text}`;
}

function shownHash(signature: Signature): JsonObject {
  return shownSignature(signature, 27 + signature.yParity);
}

/** Returns a signature as the service does: hex without `0x` (facts 5.2). */
function shownSignature({ r, s }: Signature, v: number): JsonObject {
  const [first, second] = [r, s].map((part) => part.slice(2).padStart(64, "0"));
  return { r: `${first}`, s: `${second}`, v, sig: `${first}${second}${v.toString(16).padStart(2, "0")}` };
}
