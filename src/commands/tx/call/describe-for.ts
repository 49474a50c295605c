import { callText, type DescribedCall, describeCall } from "../../../contract/abi.ts";
import { type AbiCall, knownAbis } from "./known-abis.ts";

export async function describeFor(call: AbiCall, data: string): Promise<DescribedCall> {
  return describeCall(data, await knownAbis(call)) ?? { lines: [], isWhole: false };
}

export async function readCalls({
  app,
  session,
  say,
}: Omit<AbiCall, "flags">): Promise<(data: string) => string | undefined> {
  const abis = await knownAbis({ app, flags: {}, session, say });
  return (data) => callText(data, abis);
}
