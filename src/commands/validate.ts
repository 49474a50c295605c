import { fileFindingView } from "../views/fleet/file-findings.ts";
import { createCommand, refuseRaw } from "./command.ts";
import { defineReferenceFlags, validateFleetReferenceFlags } from "./fleet/flags.ts";

export const validate = createCommand({
  summary: "Find everything that is wrong or unfinished in the files of a fleet",
  sends: "nothing",
  ends: { ok: "nothing is wrong", unmet: "a file would be refused, or with --strict is unfinished" },
  examples: [
    "relayctl validate config.json",
    "relayctl validate config/config.json config/more.json --strict",
    "relayctl validate config.json -o sarif",
  ],
  args: [
    {
      name: "<files...>",
      description: "config.json or YAML files of a fleet (`-` for stdin)",
      isFile: true,
    },
  ],
  resource: fileFindingView,
  paginates: true,
  projectFiles: ({ args }) => args.length === 0,
  description:
    "Find everything that is wrong or unfinished in the files of a fleet, all at once, with its place, the reason, and the fix: without a service, before its first start. An error is what a service or a plan would refuse; a note is what is still to be filled in: placeholders, variables that are not set, a missing folder of networks. -o sarif prints results for code scanning, and -o github annotates the lines in GitHub Actions, where it is the default.",
  define: (command) =>
    command.optionsGroup("Files").option("--strict", "Also fail for warnings and notes").include(defineReferenceFlags),
  async prepare(call, problems) {
    validateFleetReferenceFlags(call.flags, problems);
    const { format, query, fields } = call.output;
    refuseRaw(call, problems, "this sends none");
    for (const [flag, value] of Object.entries({ "--query": query, "--fields": fields }))
      if (value !== undefined && (format === "sarif" || format === "github"))
        problems.add(flag, `cannot be combined with -o ${format}`);
  },
  run: async (call) => (await import("./fleet/run-validate.ts")).runValidate(call, call.flags),
});
