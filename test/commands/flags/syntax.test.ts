import { expectTypeOf } from "vitest";
import type { addCommonFlags } from "../../../src/cli/program.ts";
import type { CommonFlags } from "../../../src/command-support/common-flags.ts";
import { type CommandSyntax, DIFF, type ParsedFlags } from "../../../src/commands/command.ts";

function define(command: CommandSyntax) {
  return command
    .optionsGroup("Request")
    .option("-f, --file <file>", "One value")
    .option("--words <word...>", "All words up to the next flag")
    .option("--each-time <value>", "A value each time", "values")
    .option("-v, --verbose", "How often", "times")
    .option("--gas-limit <gas>", "A value, or null")
    .option("--no-gas-limit", "Send null")
    .option("--no-chain", "On by default")
    .choice("--until <goal>", "One of a few words", ["mined", "final"])
    .include((shared) => shared.option(...DIFF));
}

test("a declared flag gives its value a name and a type, so that another name or type does not compile", () => {
  expectTypeOf<ParsedFlags<typeof define>>().toEqualTypeOf<{
    file?: string;
    words?: string[];
    eachTime?: string[];
    verbose?: number;
    gasLimit?: string | false;
    chain?: boolean;
    until?: "mined" | "final";
    diff?: true;
  }>();
});

test("the common flags are those that are declared", () => {
  expectTypeOf<ParsedFlags<typeof addCommonFlags>>().toEqualTypeOf<Pick<CommonFlags, keyof CommonFlags>>();
});
