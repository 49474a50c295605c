import type { ApiRequest } from "../../../client/request.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { type OperationId, operations } from "../../../contract/operations.ts";
import type { ApplyStep } from "../../../fleet/apply/apply-step.ts";
import type { ManagedResource } from "../../../fleet/apply/managed-resource.ts";
import type { Comparing } from "../../../fleet/apply/resource-state.ts";
import { keyOf } from "../../../fleet/compare/existence.ts";
import { type ReferredValues, withValues } from "../../../fleet/compare/request-body.ts";
import type { LiveFleet } from "../../../fleet/live.ts";
import type { Plan } from "../../../fleet/plan.ts";
import type { StepOutcome } from "./outcome.ts";
import { inOrder } from "./run-steps.ts";

export interface PlanToApply {
  plan: Plan;
  /** What the bodies of its requests do not contain, by resource. */
  referred: ReadonlyMap<string, ReferredValues>;
  steps: readonly ApplyStep[];
  /** The outcomes that are known before anything is sent: what is as planned already, and disabled relayers. */
  settled: ReadonlyMap<string, StepOutcome>;
  live: LiveFleet;
  comparing: Comparing;
}

/** Returns the changes of a plan with the secrets in their bodies. */
export function stepsOf(
  { changes }: Plan,
  managed: ReadonlyMap<string, ManagedResource>,
  referred: ReadonlyMap<string, ReferredValues>,
): ApplyStep[] {
  const steps = changes.map((change): ApplyStep => {
    const { noun, id } = change;
    const key = keyOf(noun, id);
    const values: ReferredValues = referred.get(key) ?? new Map();
    const body = withValues(change.body, values);
    return { key, change, body, referred: values, managed: managed.get(key) ?? { noun, id, hidden: [], before: null } };
  });
  return inOrder(steps);
}

export function requestOf({ change: { noun, id, action }, body, managed: { hidden } }: ApplyStep): ApiRequest {
  const operation = operations[`${noun}.${action}` as OperationId];
  if (action === "create") return { operation, body, hidden };
  const parameters = { [`${noun.slice(0, -1)}_id`]: id };
  return action === "delete" ? { operation, parameters } : { operation, parameters, body, hidden };
}

/** Returns the outcome of a change of a relayer that the service has disabled; undefined for any other. */
export function disabledOutcome({ change }: ApplyStep, live: JsonObject | undefined): StepOutcome | undefined {
  return change.action === "update" && live?.system_disabled === true ? { kind: "disabled" } : undefined;
}
