import type { JsonObject } from "../../contract/json.ts";
import { evmSignature, transactionHash } from "../replacement/hash.ts";
import type { ServerState } from "../state/state.ts";

/** Returns a new hash with its signature: no two are the same. */
export function signed(state: ServerState): JsonObject {
  const number = nextHash(state);
  return { hash: transactionHash("evm", number), signature: evmSignature(number) };
}

export function nextHash(state: ServerState): number {
  state.hashes += 1;
  return state.hashes;
}
