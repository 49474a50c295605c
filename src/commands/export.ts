import type { Command } from "commander";
import type { Problems } from "../command-support/problems.ts";
import type { Call, CommandFile } from "./command.ts";
import type { ExportRequest } from "./fleet/export/run-export.ts";

interface Flags {
  showUrls?: true;
}

/** `relayctl export`: writes a fleet as a file that `plan` and `apply` read. Only reads from the service. */
export const exportFleet: CommandFile<Flags, ExportRequest> = {
  summary: "Write the fleet as a config file",
  sends: "read",
  examples: ["relayctl export", "relayctl export -o json", "relayctl export --show-urls"],
  paginates: true,
  define,
  prepare,
  run: async (call, request) => (await import("./fleet/export/run-export.ts")).runExport(call, request),
};

function define(command: Command): void {
  command
    .description(
      `Write the notifications, signers, networks, plugins, and relayers of a service as YAML, or with -o json as JSON, in the form of the service's own config.json, so that \`relayctl plan\` finds no difference. What the service does not return is written as \${hidden:key}, and so are URLs with a path, which often contain a key. Amounts have their units in YAML, and are integers in JSON. Members with the default of the service are left out.`,
    )
    .optionsGroup("Export")
    .option("--show-urls", "Write the RPC URLs of networks in full, with any key in them (default: hidden)");
}

async function prepare({ flags, output }: Call<Flags>, problems: Problems): Promise<ExportRequest> {
  const { format, query } = output;
  const isKnown = format === undefined || format === "yaml" || format === "json";
  if (!isKnown) problems.add("-o", "an export is written as yaml or json", format);
  if (query !== undefined && format === undefined) problems.add("--query", "needs -o json or -o yaml");
  return { showUrls: flags.showUrls === true };
}
