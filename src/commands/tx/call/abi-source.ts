import type { AbiSource } from "../../../chain/simulation/revert-reason.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import type { CallFlags } from "./call-flags.ts";

/**
 * Returns a function that reads the known ABIs, and that of `--abi` if the command has it, when an error is first decoded. Whatever happens then, a result
 * must not fail for it: without them, the error is shown as bytes.
 * @param say notes a file that is not an ABI; silent where another message has noted it, or would disturb a screen
 */
export function abiSource(
  { app, flags, session }: Pick<Call, "app" | "flags" | "session">,
  say: Call["say"] = async () => {},
): AbiSource {
  let found: ReturnType<AbiSource> | undefined;
  const read = async () => {
    const { knownAbis } = await import("./known-abis.ts");
    try {
      return await knownAbis({ app, flags: flags as CallFlags, session, say });
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      return [];
    }
  };
  return () => {
    found ??= read();
    return found;
  };
}
