import { base64Bytes } from "../../../contract/base64.ts";
import type { Walk } from "./walk.ts";

/** interface.md, Solana-style field. */
export async function solanaWords(walk: Walk): Promise<string[]> {
  return await walk.ask({
    member: "transaction",
    question: "Transaction, serialized, as base64:",
    example: "AQABAgMEBQYHCAkKCwwNDg8=",
    says: (answer) => (base64Bytes(answer) === undefined ? "is not base64, with its padding" : undefined),
  });
}
