import { elseOnError } from "../../errors.ts";
import { base58 } from "./primitives.ts";

/** Decodes base58, the format of Solana's addresses; returns undefined if the text is invalid. */
export function base58Bytes(text: string): Uint8Array | undefined {
  return elseOnError(() => base58.decode(text));
}

export function base58Text(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** Returns why a text is not a Solana address (32 bytes in base58), or undefined. */
export function solanaAddressProblem(text: string): string | undefined {
  const bytes = base58Bytes(text.slice(0, 45));
  if (!bytes || text.length < 32 || text.length > 44) return "needs 32 to 44 base58 characters";
  return bytes.length === 32 ? undefined : `needs 32 bytes in base58, not ${bytes.length}`;
}
