import { base58Bytes } from "../../src/contract/encoding/base58.ts";

/** A serialized transaction of one signature and one account, of no meaning, in base64. */
export function serializedTransaction({ payer, versioned = false }: { payer: string; versioned?: boolean }): string {
  const signature = Array<number>(64).fill(7);
  const version = versioned ? [0x80] : [];
  const tables = versioned ? [0] : [];
  const header = [1, 0, 0];
  const blockhash = Array<number>(32).fill(9);
  const bytes = [1, ...signature, ...version, ...header, 1, ...(base58Bytes(payer) ?? []), ...blockhash, 0, ...tables];
  return Buffer.from(bytes).toString("base64");
}

/** One whose fee is paid by some account. */
export const SERIALIZED = serializedTransaction({ payer: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr" });
