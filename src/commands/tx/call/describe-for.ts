import { type DescribedCall, describeCall } from "../../../contract/abi.ts";
import type { Call } from "../../command.ts";
import type { CallFlags } from "./call-flags.ts";
import { knownAbis } from "./known-abis.ts";

/** Describes data by the ABIs that are known. */
export async function describeFor(
  call: Pick<Call<CallFlags>, "app" | "flags" | "say">,
  data: string,
): Promise<DescribedCall> {
  return describeCall(data, await knownAbis(call)) ?? { lines: [], isWhole: false };
}
