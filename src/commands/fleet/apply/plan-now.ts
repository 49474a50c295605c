import type { Session } from "../../../command-support/session/session.ts";
import { managedResource } from "../../../fleet/apply/managed-resource.ts";
import { keyOf } from "../../../fleet/compare/existence.ts";
import { fingerprintWith } from "../../../fleet/fingerprint.ts";
import type { Call } from "../../command.ts";
import type { FleetFlags } from "../flags.ts";
import { knownFor, makePlan } from "../make-plan.ts";
import { disabledOutcome, type PlanToApply, stepsOf } from "./to-apply.ts";

/** Compares files with the service, and returns the plan that makes the service equal to them. */
export async function planNow(
  call: Call<FleetFlags>,
  session: Session,
  files: readonly string[],
): Promise<PlanToApply> {
  const { prune = false, sendHidden = false } = call.flags;
  const { plan, live, referred, desired } = await makePlan(call, files, { prune, sendHidden });
  const fingerprint = fingerprintWith(call.app.random.uuid());
  const known = knownFor(call, session, files);
  const liveOf = ({ noun, id }: (typeof plan.changes)[number]) => live.resources[noun].get(id);
  const hidden = new Map(desired.resources.map((each) => [keyOf(each.noun, each.id), each.hidden]));
  const managed = plan.changes.map((each) => {
    const paths = hidden.get(keyOf(each.noun, each.id));
    return managedResource({ ...each, ...(paths && { hidden: paths }) }, liveOf(each), fingerprint);
  });
  const steps = stepsOf(plan, new Map(managed.map((each) => [keyOf(each.noun, each.id), each])), referred);
  const settled = steps.flatMap((step) => {
    const outcome = disabledOutcome(step, liveOf(step.change));
    return outcome ? [[step.key, outcome] as const] : [];
  });
  return { plan, referred, steps, settled: new Map(settled), live, comparing: { fingerprint, known } };
}
