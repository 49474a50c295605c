import type { Problems } from "../../command-support/problems.ts";
import type { Call } from "../command.ts";
import { DEMO_FILE } from "./demo/demo-file.ts";

/** `--file` of the commands that compare a fleet with files. */
export const FLEET_FILES = [
  "-f, --file <file...>",
  "Read the fleet from these config.json or YAML files (`-` for stdin)",
] as const;

/** `--prune` and `--send-hidden`, which change what a plan contains. */
export const PRUNE = [
  "--prune",
  "Also delete relayers, signers, and notifications that are not in the files, if any file lists that kind",
] as const;

export const SEND_HIDDEN = [
  "--send-hidden",
  "Also send values that the service does not return, e.g. signing keys, although they cannot be compared",
] as const;

/** The flags, with commander's names. */
export interface FleetFlags {
  file?: readonly string[];
  prune?: true;
  sendHidden?: true;
}

/** The flags of `plan`. */
export interface PlanFlags extends FleetFlags {
  out?: string;
}

/**
 * Returns the files as typed; the demo has its own file.
 * @param or what else could be specified
 */
export function fleetFilesOf(
  { flags: { file = [] }, common }: Call<FleetFlags>,
  problems: Problems,
  or = "",
): readonly string[] {
  if (file.some((path) => path === "")) problems.add("--file", "needs a file name, or - for stdin");
  if (file.length > 0) return file;
  if (common.demo) return [DEMO_FILE];
  problems.add("--file", `missing: specify the files of the fleet, e.g. -f config.json${or}`);
  return [];
}

/** Checks the output flags of a plan. */
export function validatePlanOutput({ output: { format, fields, query }, app }: Call, problems: Problems): void {
  if (format === "raw") problems.add("-o", "raw is the response to one request, and this needs several");
  if (format === "markdown" && query !== undefined) problems.add("--query", "cannot be combined with -o markdown");
  const isWhole = format === "json" || format === "yaml" || format === "markdown" || format === "table";
  if (fields !== undefined && (isWhole || (format === undefined && app.stdout.isTerminal)))
    problems.add("--fields", "selects columns of -o tsv, csv, and ndjson; use --query for others");
}
