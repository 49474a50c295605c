import { differenceView } from "../views/fleet/plan-rows.ts";
import { createCommand } from "./command.ts";
import { defineReferenceFlags, FLEET_FILES, fleetFilesOf, validateFleetPlanOutput } from "./fleet/flags.ts";

export const drift = createCommand({
  summary: "Check whether the service differs from files, e.g. from cron",
  sends: "read",
  ends: { ok: "nothing differs", changes: "differences found", not_found: "context not found" },
  examples: [
    "relayctl drift -f config.json",
    "relayctl drift -f config/config.json config/more.json -o json",
    "relayctl drift -f config.json --timeout 10s --quiet",
  ],
  resource: differenceView,
  paginates: true,
  projectFiles: () => true,
  description:
    "Compare the service with files as `relayctl plan` does, e.g. from cron: without differences it prints nothing and exits with 0; with differences it prints them and exits with 20. Any other exit code means that the comparison failed.",
  define: (command) =>
    command
      .optionsGroup("Plan")
      .option(...FLEET_FILES)
      .option("--prune", "Also report relayers, signers, and notifications that are not in the files")
      .include(defineReferenceFlags),
  async prepare(call, problems) {
    validateFleetPlanOutput(call, problems);
    return fleetFilesOf(call, problems);
  },
  run: async (call, files) => (await import("./fleet/run-plan.ts")).runDrift(call, files),
});
