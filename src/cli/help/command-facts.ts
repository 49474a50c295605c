import type { AnyCommand } from "../../commands/command.ts";
import type { Variable } from "../../config/variables.ts";
import { type CommonFlag, requestFlagName, requestFlagsTaken, sendsRequest } from "../request-flags.ts";
import { exitCodesOf } from "./exit-codes.ts";

export type CommandFacts = ReturnType<typeof commandFacts>;

export function commandFacts(file: AnyCommand) {
  const { summary, args = [], examples } = file;
  return {
    summary,
    args: args.map(({ name, description, unless, unlessStdin, unlessFound }) => ({
      name,
      description,
      ...(unless && { unless }),
      ...(unlessStdin && { unlessStdin }),
      ...(unlessFound && { unlessFound }),
    })),
    examples,
    exitCodes: exitCodesOf(file).map(({ code, words }) => ({ term: `${code}`, text: words })),
    variables: [...(file.variables ?? []), ...(sendsRequest(file.sends) ? SERVICE : HERE), "relayctl help environment"],
    flags: flagsFor(file),
  };
}

function flagsFor(file: AnyCommand): string[] {
  const { resource, sends } = file;
  const taken = requestFlagsTaken(file, resource !== undefined);
  const often = sendsRequest(sends) ? OFTEN : [...OFTEN, ...OF_OTHERS];
  return [
    ...often.filter((flag) => taken.includes(flag)).map((flag) => SHORT[flag] ?? requestFlagName(flag)),
    "relayctl help flags",
  ];
}

const OFTEN: readonly CommonFlag[] = ["output", "fields", "context", "demo", "yes", "dryRun"];
const OF_OTHERS: readonly CommonFlag[] = ["curl", "timeout", "proxy", "quiet"];
const SHORT: Partial<Record<CommonFlag, string>> = { output: "-o", context: "-c", quiet: "-q" };

const SERVICE: readonly Variable[] = ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_CONTEXT"];
const HERE: readonly Variable[] = ["RELAYCTL_CONFIG_DIR"];
