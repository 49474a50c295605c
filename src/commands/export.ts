import { createCommand } from "./command.ts";
import { defineReferenceFlags, validateFleetReferenceFlags } from "./fleet/flags.ts";

export const exportFleet = createCommand({
  summary: "Write the fleet as a config file, or update files",
  sends: "read",
  examples: ["relayctl export", "relayctl export -o json", "relayctl export -f fleet.yaml"],
  ends: { conflict: "the file changed meanwhile" },
  paginates: true,
  showsUrls: ({ flags }) => "showUrls" in flags,
  readsFirst: ({ flags }) => "file" in flags,
  description: `Write the notifications, signers, networks, plugins, and relayers of a service as YAML, or with -o json as JSON, in the form of the service's own config.json, so that \`relayctl plan\` finds no difference. Values that the service does not return are written as \${hidden:key}. URLs with a path are too, because the path often contains a key. Amounts have their units in YAML, and are integers in JSON. Members with the default of the service are left out. With -f, files are updated in place: values that differ are replaced, new resources added, and deleted ones removed; order, comments, and references, e.g. \${env:NAME}, stay. Kinds of resources that no file lists are left out. With --dry-run, the new text is printed instead.`,
  define: (command) =>
    command
      .optionsGroup("Export")
      .option("-f, --file <file...>", "Update these YAML or JSON files; a file that does not exist is created")
      .option("--show-urls", "Write the RPC URLs of networks in full, with any key in them (default: hidden)")
      .include(defineReferenceFlags),
  async prepare({ flags, output }, problems) {
    const { file: files = [], showUrls, ...allowed } = flags;
    validateFleetReferenceFlags(allowed, problems);
    const { format, query } = output;
    const isKnown = format === undefined || format === "yaml" || format === "json";
    if (!isKnown) problems.add("-o", "an export is written as yaml or json", format);
    if (query !== undefined && format === undefined) problems.add("--query", "needs -o json or -o yaml");
    if (query !== undefined && files.length > 0) problems.add("--query", "cannot be combined with --file");
    if (files.includes("")) problems.add("--file", "needs a file name");
    if (files.includes("-"))
      problems.add("--file", "stdin cannot be updated; without --file, the export goes to stdout");
    return { files, showUrls: showUrls === true, allowed };
  },
  run: async (call, request) => (await import("./fleet/export/run-export.ts")).runExport(call, request),
});
