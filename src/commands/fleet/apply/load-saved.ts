import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import { movedError } from "../../../fleet/apply/apply-step.ts";
import { type Comparing, resourceState } from "../../../fleet/apply/resource-state.ts";
import { keyOf } from "../../../fleet/compare/existence.ts";
import { FLEET_NOUNS } from "../../../fleet/desired.ts";
import { fingerprintWith } from "../../../fleet/fingerprint.ts";
import type { KnownSecrets } from "../../../fleet/known-secrets.ts";
import { readLiveFleet } from "../../../fleet/live.ts";
import type { SavedPlan } from "../../../fleet/saved-plan.ts";
import { resolveSaved } from "../../../fleet/saved-references.ts";
import type { FleetSources } from "../../../fleet/sources.ts";
import { DEMO_FILE } from "../demo/demo-file.ts";
import type { StepOutcome } from "./outcome.ts";
import { disabledOutcome, type PlanToApply, stepsOf } from "./to-apply.ts";

export interface SavedPlanFile {
  path: string;
  saved: SavedPlan;
}

/** Refuses a plan that was made for another service. @throws RelayctlError usage */
export function refuseOtherServer({ path, saved: { plan } }: SavedPlanFile, { origin, name }: Session): void {
  if (plan.server === origin) return;
  throw usageError([{ where: path, rule: `was made for ${plan.server}, and ${name} is ${origin}; nothing was sent` }]);
}

/**
 * Compares a saved plan with the service and with the secrets as they are now.
 * @throws RelayctlError conflict if a resource or a secret changed since the plan was made; usage if a secret is missing
 */
export async function loadSaved(
  file: SavedPlanFile,
  { session, sources, known }: { session: Session; sources: FleetSources; known: KnownSecrets },
): Promise<PlanToApply> {
  const { plan, salt, references, managed } = file.saved;
  session.hide(managed);
  const comparing: Comparing = { fingerprint: fingerprintWith(salt), known };
  const hint = planCommand(file, session);
  const { referred, changed } = await resolveSaved(plan, references, comparing.fingerprint, sources);
  if (changed.length > 0)
    throw changedSince(
      changed.map(({ member, reference }) => [member, `${reference} has another value now`]),
      hint,
    );
  const byKey = new Map(managed.map((each) => [keyOf(each.noun, each.id), each]));
  const steps = stepsOf(plan, byKey, referred);
  const nouns = FLEET_NOUNS.filter((noun) => managed.some((each) => each.noun === noun));
  const live = await readLiveFleet(session.client, nouns);
  const intended = new Map(steps.map((step) => [step.key, step]));
  const settled = new Map<string, StepOutcome>();
  const moved: [string, string][] = [];
  for (const [key, resource] of byKey) {
    const step = intended.get(key);
    const now = live.resources[resource.noun].get(resource.id);
    const state = await resourceState(step ?? { managed: resource, change: undefined, body: {} }, now, comparing);
    if (state.kind === "moved") moved.push([key, movedError(state.since).message]);
    else if (step && state.kind === "already") settled.set(key, { kind: "already", end: { already: true, notes: [] } });
    else {
      const disabled = step && disabledOutcome(step, now);
      if (disabled) settled.set(key, disabled);
    }
  }
  if (moved.length > 0) throw changedSince(moved, hint);
  return { plan, referred, steps, settled, live, comparing };
}

/** Returns the command that makes the plan again; the demo has a separate file. */
export function planCommand({ path, saved }: SavedPlanFile, { flags }: Session): string {
  const { files } = saved.plan;
  const typed = files.includes(DEMO_FILE) ? [] : ["--file", ...files];
  return commandLine(...flags, "plan", ...typed, "--out", path);
}

function changedSince(found: readonly (readonly [where: string, rule: string])[], hint: string): RelayctlError {
  const details = found.map(([where, rule]) => ({ where, rule }));
  const [first, ...more] = details;
  return new RelayctlError("conflict", "the plan is out of date", {
    details,
    because: [...(first && more.length === 0 ? [`${first.where}: ${first.rule}`] : []), "nothing was sent"],
    hint,
  });
}
