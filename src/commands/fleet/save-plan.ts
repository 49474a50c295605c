import type { App } from "../../app.ts";
import { usageError } from "../../errors.ts";
import { managedResource } from "../../fleet/apply/managed-resource.ts";
import { existenceKey } from "../../fleet/compare/existence.ts";
import { fingerprintWith } from "../../fleet/fingerprint.ts";
import { MAX_PLAN_BYTES } from "../../fleet/read-saved-plan.ts";
import { isSavedPlan, savedPlanText, savedReferences } from "../../fleet/saved-references.ts";
import type { Call } from "../command.ts";
import type { MadePlan } from "./make-plan.ts";

/** Writes a plan to a private file for `apply`. Only an earlier plan is replaced. @throws RelayctlError usage */
export async function savePlan(
  { app }: Call,
  path: string,
  { plan, desired, live, referred }: MadePlan,
): Promise<void> {
  const salt = app.random.uuid();
  const fingerprint = fingerprintWith(salt);
  const deleted = plan.changes.filter(({ action }) => action === "delete");
  const resources = new Map([...desired.resources, ...deleted].map((each) => [existenceKey(each.noun, each.id), each]));
  const managed = [...resources.values()].map((each) =>
    managedResource(each, live.resources[each.noun].get(each.id), fingerprint),
  );
  const references = savedReferences(desired.resources, referred, fingerprint);
  const whole = savedPlanText({ plan, salt, references, managed });
  const text = app.secrets.redact(whole);
  if (text !== whole)
    throw usageError([
      { where: path, rule: "cannot hold this plan: a member contains a secret that it does not refer to" },
    ]);
  await app.textFile(path, MAX_PLAN_BYTES).change((before) => {
    requirePlan(path, before);
    return text;
  });
}

/** Resolves if a plan can probably be written to a path. @throws RelayctlError usage */
export async function requirePlanFile({ files }: App, path: string): Promise<void> {
  requirePlan(path, await files.load(path, MAX_PLAN_BYTES));
  await files.expectFolder(path);
}

function requirePlan(path: string, before: string | undefined): void {
  if (before !== undefined && before !== "" && !isSavedPlan(before))
    throw usageError([{ where: path, rule: "is not a plan and would be overwritten; specify another file" }]);
}
