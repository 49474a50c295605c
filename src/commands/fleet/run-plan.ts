import { isDryRun, showRequests } from "../../command-support/shown.ts";
import { operations } from "../../contract/operations.ts";
import { DEMO_FILE } from "../../fleet/demo/demo-file.ts";
import { planHasDifferences } from "../../fleet/plan.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import type { FleetFlags, PlanFlags } from "./flags.ts";
import { makePlan, planView, readPlanDesired } from "./make-plan.ts";

export async function runPlan(call: Call<PlanFlags>, files: readonly string[]): Promise<View> {
  const { prune = false, sendHidden = false, out } = call.flags;
  const shown = await shownReads(call, files);
  if (shown) return shown;
  const made = await makePlan(call, files, { prune, sendHidden });
  if (out === undefined) return await planView(call, made, await applyLine(call, files));
  const { savePlan } = await import("./save-plan.ts");
  await savePlan(call, out, made);
  await call.say({ note: `saved in ${out}, without any secret` });
  return await planView(call, made, await nextLine(call, [out, ...(prune ? ["--prune"] : [])]));
}

export async function runDrift(call: Call<FleetFlags>, files: readonly string[]): Promise<View> {
  const { prune = false } = call.flags;
  const shown = await shownReads(call, files);
  if (shown) return shown;
  const made = await makePlan(call, files, { prune, sendHidden: false });
  return planHasDifferences(made.plan) ? await planView(call, made) : { kind: "nothing" };
}

async function shownReads(call: Call<FleetFlags>, files: readonly string[]): Promise<View | undefined> {
  if (!isDryRun(call)) return undefined;
  const { nouns } = await readPlanDesired(call, files);
  return await showRequests(
    call,
    [...nouns].map((noun) => ({ operation: operations[`${noun}.list`] })),
  );
}

async function applyLine({ session, flags }: Call<FleetFlags>, files: readonly string[]): Promise<{ next: string }[]> {
  if (files.includes("-")) return [];
  const typed = files.includes(DEMO_FILE) ? [] : ["-f", ...files];
  const switches = [
    ...(flags.prune ? ["--prune"] : []),
    ...(flags.sendHidden ? ["--send-hidden"] : []),
    ...(flags.networks ? ["--networks", flags.networks] : []),
    ...(flags.allowUnknown ? ["--allow-unknown"] : []),
  ];
  return await nextLine({ session }, [...typed, ...switches]);
}

async function nextLine({ session }: Pick<Call, "session">, typed: readonly string[]): Promise<{ next: string }[]> {
  const { pasteable } = await session();
  const found = pasteable(["apply", ...typed]);
  return "line" in found ? [{ next: found.line }] : [];
}
