import { readExactInput } from "../session/input-file.ts";
import { appliedView } from "../views/fleet/apply-rows.ts";
import { bulkThrottleFlags, defineBulkThrottleFlags } from "./bulk/flags.ts";
import { type Call, createCommand, refuseRaw } from "./command.ts";
import type { Applying } from "./fleet/apply/apply-plan.ts";
import { defineFleetFlags, fleetFilesOf } from "./fleet/flags.ts";

export const apply = createCommand({
  summary: "Make the service equal to files, or carry out a saved plan",
  sends: "patch",
  alsoSends: ["create", "remove"],
  ends: {
    ok: "applied, or nothing to apply",
    usage: "invalid file or plan, or a plan for another service; nothing was sent",
    conflict: "changed since the plan was created, disabled, or cannot be changed",
    partial: "some changes failed, were skipped, or are impossible",
  },
  examples: [
    "relayctl apply -f config.json",
    "relayctl apply plan.json --yes",
    "relayctl apply -f config.json --dry-run",
  ],
  args: [
    {
      name: "[plan]",
      description: "File that `relayctl plan --out` saved",
      isFile: true,
      problem: (answer) => (answer === "" ? "is empty" : undefined),
    },
  ],
  resource: appliedView,
  paginates: true,
  projectFiles: ({ args }) => args.length === 0,
  readsFirst: true,
  description:
    "Show what would change, ask once, and make the service equal to the files, one write for each resource: notifications first, then signers, networks, plugins, and relayers; deletions last. relayctl reads each resource before its write, and skips it if it changed since the plan was created, or if it depends on a change that failed. It reads each resource again after its write. Running the command again applies the rest. A saved plan contains no secret: it refers to variables and files, which must have the same values as when it was made. Several changes that would each require an ID require their number, e.g. `--confirm '3 changes'`; deletions require `--yes --confirm '2 deletions'`.",
  define: (command) => command.include(defineFleetFlags).optionsGroup("Bulk").include(defineBulkThrottleFlags),
  async prepare(call, problems) {
    const { args, flags } = call;
    const [path] = args;
    const throttle = bulkThrottleFlags(flags, problems);
    refuseRaw(call, problems, "this sends several");
    if (path === "") problems.add("[plan]", "is empty");
    if (path === undefined || path === "")
      return { saved: undefined, files: fleetFilesOf(call, problems, ", or a saved plan"), throttle };
    if (flags.file) problems.add("--file", "cannot be combined with a saved plan");
    if (flags.sendHidden) problems.add("--send-hidden", "belongs to `relayctl plan`, and cannot change a saved plan");
    const saved = problems.found.length === 0 ? await readPlanFile(call, path) : undefined;
    return { saved, files: [], throttle };
  },
  run: async (call, applying) => (await import("./fleet/apply/apply-plan.ts")).applyPlan(call, applying),
});

async function readPlanFile({ app }: Call, path: string): Promise<NonNullable<Applying["saved"]>> {
  const { MAX_PLAN_BYTES, readSavedPlan } = await import("../fleet/read-saved-plan.ts");
  return { path, saved: readSavedPlan(await readExactInput(app, path, MAX_PLAN_BYTES), path) };
}
