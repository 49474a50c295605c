import { callText, type DescribedCall, describeCall } from "../../../contract/abi.ts";
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

/** Returns a function from data to what it calls, on one line. */
export async function readCalls({
  app,
  say,
}: Pick<Call, "app" | "say">): Promise<(data: string) => string | undefined> {
  const abis = await knownAbis({ app, flags: {}, say });
  return (data) => callText(data, abis);
}
