import type { JsonValue } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { ONE_OF_KIND } from "../../../contract/transaction/body-kind.ts";
import type { Call, CommandSyntax, Ends, ParsedFlags } from "../../command.ts";

export type SimulationFlags = ParsedFlags<typeof defineSimulationFlags>;

export const SIMULATION_ENDS: Ends = { rejected: "rejected, or the call would revert" };

export function defineSimulationFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Simulation (EVM)")
    .option(
      "--simulate",
      "Simulate the transaction at the node, and send nothing if it would revert (default: on a terminal)",
    )
    .option("--even-if-it-reverts", "Send the transaction even if its simulation reverts");
}

export function validateSimulation(
  { flags }: Pick<Call<SimulationFlags>, "flags">,
  problems: Problems,
  kind: NetworkKind | undefined,
): void {
  if (flags.simulate && kind !== undefined && kind !== "evm")
    problems.add("--simulate", `only EVM transactions are simulated, and this is ${ONE_OF_KIND[kind]} transaction`);
}

/** How a command simulates what it sends. */
export interface Simulating {
  /** Whether `--simulate` was typed. */
  isTyped: boolean;
  /** Whether it is sent even if it reverts. */
  acceptsRevert: boolean;
  /** For the hint that repeats the command. */
  argv: readonly string[];
}

/** Returns whether nobody requested the result, as for a transfer: then only a revert is worth a note. */
export function isSimulationUnrequested({ isTyped }: Simulating, data: JsonValue | undefined): boolean {
  const isCall = typeof data === "string" && data !== "" && data !== "0x";
  return !isCall && !isTyped;
}
