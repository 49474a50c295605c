import type { Problems } from "../../contract/problems.ts";
import { DEMO_FILE } from "../../fleet/demo/demo-file.ts";
import { type AllowedReferences, isSourceTokenVariable } from "../../fleet/open-sources.ts";
import { type Call, type CommandSyntax, type ParsedFlags, refuseRaw } from "../command.ts";

export const FLEET_FILES = [
  "-f, --file <file...>",
  "Read the fleet from these config.json or YAML files (`-` for stdin)",
] as const;

export type FleetFlags = ParsedFlags<typeof defineFleetFlags>;

export function defineFleetFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Plan")
    .option(...FLEET_FILES)
    .option(
      "--prune",
      "Also delete relayers, signers, and notifications that are not in the files, if any file lists that kind",
    )
    .option(
      "--send-hidden",
      "Also send values that the service does not return, e.g. signing keys, although they cannot be compared",
    )
    .include(defineReferenceFlags);
}

export function defineFleetPlanFlags(command: CommandSyntax) {
  return command
    .include(defineFleetFlags)
    .option("--out <file>", "Save the plan for `relayctl apply`, without secrets; replaces an earlier plan");
}

export function defineReferenceFlags(command: CommandSyntax) {
  return command
    .option(
      "--allow-env <name>",
      "Let the plan show the value of this variable, so that IDs may be made of it (repeatable)",
      "values",
    )
    .option("--allow-file <folder>", "Let the files read other files below this folder, too (repeatable)", "values")
    .option(
      "--networks <folder>",
      "Read networks from this folder (default: the folder in the files, looked for up to the root of their repository)",
    )
    .option("--allow-unknown", "Leave out members that this version of relayctl does not know");
}

export function validateFleetReferenceFlags(
  { allowEnv = [], allowFile = [], networks }: AllowedReferences,
  problems: Problems,
): void {
  for (const name of allowEnv) {
    if (isSourceTokenVariable(name))
      problems.add("--allow-env", "is a token's variable, whose value is never shown", name);
    else if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) problems.add("--allow-env", "needs the name of a variable", name);
  }
  if (allowFile.includes("")) problems.add("--allow-file", "needs the name of a folder");
  if (networks === "") problems.add("--networks", "needs the name of a folder");
}

export type PlanFlags = ParsedFlags<typeof defineFleetPlanFlags>;

export function fleetFilesOf({ flags, common }: Call<FleetFlags>, problems: Problems, or = ""): readonly string[] {
  const { file = [] } = flags;
  validateFleetReferenceFlags(flags, problems);
  if (file.some((path) => path === "")) problems.add("--file", "needs a file name, or - for stdin");
  if (file.length > 0) return file;
  if (common.demo) return [DEMO_FILE];
  problems.add("--file", `missing: specify the files of the fleet, e.g. -f config.json${or}`);
  return [];
}

export function validateFleetPlanOutput(call: Call, problems: Problems): void {
  const { format, fields, query } = call.output;
  refuseRaw(call, problems);
  if (format === "markdown" && query !== undefined) problems.add("--query", "cannot be combined with -o markdown");
  const isWhole = format === "json" || format === "yaml" || format === "markdown" || format === "table";
  if (fields !== undefined && (isWhole || (format === undefined && call.app.stdout.isTerminal)))
    problems.add("--fields", "selects columns of -o tsv, csv, and ndjson; use --query for others");
}
