import { addressProblem } from "./address.ts";
import { solanaAddressProblem } from "./encoding/base58.ts";
import { strkeyProblem } from "./encoding/strkey.ts";
import type { NetworkKind } from "./network-kind.ts";

/** Stellar's addresses are longer than Solana's. */
const LONGEST_SOLANA = 44;

/** Returns the kind of network of an address with its checksum verified, or why a text is none. */
export function addressKind(text: string): { kind: NetworkKind } | { problem: string } {
  if (/^0x/i.test(text)) return knownKind("evm", addressProblem(text));
  if (/^[GMC]/.test(text) && text.length > LONGEST_SOLANA)
    return knownKind("stellar", strkeyProblem(text, ["G", "M", "C"]));
  const problem = solanaAddressProblem(text);
  return problem === undefined
    ? { kind: "solana" }
    : { problem: "needs an address of EVM (0x…), Solana, or Stellar (G…, M…, or C…)" };
}

function knownKind(kind: NetworkKind, problem: string | undefined): { kind: NetworkKind } | { problem: string } {
  return problem === undefined ? { kind } : { problem };
}
