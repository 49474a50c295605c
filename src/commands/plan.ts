import { isDryRun } from "../command-support/shown.ts";
import { validateFileFlag } from "../contract/problems.ts";
import { differenceView } from "../views/fleet/plan-rows.ts";
import { createCommand } from "./command.ts";
import { defineFleetPlanFlags, fleetFilesOf, validateFleetPlanOutput } from "./fleet/flags.ts";

export const plan = createCommand({
  summary: "Show how the service differs from files, and what would change",
  sends: "read",
  ends: { ok: "nothing differs", changes: "differences found", not_found: "context not found" },
  examples: [
    "relayctl plan -f config.json",
    "relayctl plan -f config/config.json config/more.json -o markdown",
    "relayctl plan -f config.json --out plan.json",
  ],
  resource: differenceView,
  paginates: true,
  projectFiles: () => true,
  description: `Compare the service with files: the service's own config.json, or YAML of the same shape, where amounts may have units (80gwei) and values may be \${env:NAME} or \${file:PATH}, which are shown instead of their values. A kind of resource that no file lists is not compared, and a member that a file leaves out counts as not set, or as its default. Prints the smallest changes that make the service equal to the files, what cannot be changed, and what cannot be compared, e.g. signing keys, which the service never returns. Only reads.`,
  define: defineFleetPlanFlags,
  async prepare(call, problems) {
    validateFleetPlanOutput(call, problems);
    const { out } = call.flags;
    validateFileFlag(problems, "--out", out);
    if (out !== undefined && !problems.has("--out") && !isDryRun(call)) {
      const { requirePlanFile } = await import("./fleet/save-plan.ts");
      await problems.gather(() => requirePlanFile(call.app, out));
    }
    return fleetFilesOf(call, problems);
  },
  run: async (call, files) => (await import("./fleet/run-plan.ts")).runPlan(call, files),
});
