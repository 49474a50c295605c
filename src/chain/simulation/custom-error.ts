import { oneLine } from "../../client/attempt/shown-text.ts";
import type { Abi } from "../../contract/abi.ts";
import type { RevertReason } from "./revert-reason.ts";

/** Returns what is known of contracts, besides well-known standards; called only to decode an error. */
export type AbiSource = () => Promise<readonly Abi[]>;

/** Returns the reason with the names of custom errors that an ABI or a standard defines for its selector. */
export async function withCustomError(reason: RevertReason, abis?: AbiSource): Promise<RevertReason> {
  if (reason.kind !== "custom") return reason;
  const { decodedText, decodeRevert, standardAbi } = await import("../../contract/abi.ts");
  const found = decodeRevert(reason.data, [standardAbi(), ...((await abis?.()) ?? [])]).filter(
    ({ trailing }) => trailing === 0,
  );
  if (found.length === 0) return reason;
  return { ...reason, words: oneLine(found.map((each) => decodedText(each)).join(" or ")) };
}
