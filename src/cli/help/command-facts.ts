import type { AnyCommand } from "../../commands/command.ts";
import type { ArgumentSyntax } from "../../commands/flags/syntax.ts";
import type { Variable } from "../../config/variables.ts";
import { showsRequests, usesService } from "../request-flags.ts";
import type { Row } from "./block.ts";
import { exitCodesOf } from "./exit-codes.ts";

/** What the help page of a command says besides its flags. */
export interface CommandFacts {
  summary: string;
  args: readonly ArgumentSyntax[];
  examples: readonly string[];
  exitCodes: readonly Row[];
  variables: readonly string[];
  /** The common flags that matter most for it. */
  flags: readonly string[];
}

export function factsOf(file: AnyCommand): CommandFacts {
  const { summary, args = [], examples } = file;
  return {
    summary,
    args: args.map(({ name, description, unless, unlessStdin }) => ({
      name,
      description,
      ...(unless && { unless }),
      ...(unlessStdin && { unlessStdin }),
    })),
    examples,
    exitCodes: exitCodesOf(file).map(({ code, words }) => ({ term: `${code}`, text: words })),
    variables: variablesOf(file),
    flags: flagsFor(file),
  };
}

function flagsFor({ sends }: AnyCommand): string[] {
  const here = sends === "journal" ? ["-o", "-c", "--demo"] : ["-o", "-c", "-q"];
  const alone = showsRequests(sends) ? ["-o", "--timeout", "--proxy", "--dry-run", "--curl"] : here;
  const some = usesService(sends) ? ["-o", "--fields", "-c", "--demo", "--yes", "--dry-run"] : alone;
  return [...some, "relayctl help flags"];
}

function variablesOf({ sends, variables = [] }: AnyCommand): string[] {
  return [...variables, ...(usesService(sends) ? SERVICE : HERE), "relayctl help environment"];
}

const SERVICE: readonly Variable[] = ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_CONTEXT"];
const HERE: readonly Variable[] = ["RELAYCTL_CONFIG_DIR"];
