import type { Problems } from "../../../contract/problems.ts";
import type { CommandSyntax, ParsedFlags } from "../../flags/syntax.ts";

export type CallFlags = ParsedFlags<typeof defineCallFlags>;

/** Flags that stand for `data`, not for a field of a body. */
export const CALL_FLAGS: readonly string[] = ["call", "arg", "abi"];

export function defineCallFlags(command: CommandSyntax) {
  return command
    .option(
      "--call <function>",
      "Function to call instead of --data, e.g. 'transfer(address,uint256)', or its name with --abi",
    )
    .option(
      "--arg <value>",
      "Argument of --call, in order (repeatable); integers like 25 or 1e18, lists and tuples as JSON",
      "values",
    )
    .option("--abi <file>", "ABI of --call: JSON, Foundry, or Hardhat (`-` for stdin)");
}

export function isNamedCall(flags: CallFlags): boolean {
  return flags.call !== undefined || flags.arg !== undefined || flags.abi !== undefined;
}

export function requireContract(problems: Problems, flags: CallFlags, named: readonly string[]): void {
  if (isNamedCall(flags) && !named.includes("to")) problems.add("--call", "requires --to: the address of the contract");
}
