import { type DescribedCall, describeCall, standardAbi } from "../../../contract/abi.ts";
import type { Call } from "../../command.ts";
import type { CallFlags } from "./call-flags.ts";
import { readAbiFile } from "./read-call.ts";

/** Describes data by well-known standards, and by the ABI of the line. */
export async function describeFor(
  { app, flags }: Pick<Call<CallFlags>, "app" | "flags">,
  data: string,
): Promise<DescribedCall> {
  const typed = flags.abi === undefined || flags.abi === "-" ? [] : [await readAbiFile(app, flags.abi)];
  return describeCall(data, [standardAbi(), ...typed]) ?? { lines: [], isWhole: false };
}
