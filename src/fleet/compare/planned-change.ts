import { effectOf } from "../../contract/effect.ts";
import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { capRisks } from "../../contract/policy/cap-change.ts";
import type { DesiredResource } from "../desired.ts";
import type { LiveFleet } from "../live.ts";
import type { PlannedChange } from "../plan.ts";
import { createdMembers, creationBody } from "./create-resource.ts";
import { type Existence, keyOf } from "./existence.ts";
import type { Findings } from "./findings.ts";
import { neededBy, signerUser } from "./references.ts";
import { hiddenPaths, type ReferredValues, withReferences } from "./request-body.ts";

/** What planning any request may need. */
export interface PlanningContext {
  live: LiveFleet;
  existence: Existence;
  /** What the bodies of all requests do not contain, by resource. */
  referred: Map<string, ReferredValues>;
}

/** Returns the request that settles the differences of a resource; none if there are none. */
export function plannedUpdate(
  desired: DesiredResource,
  live: JsonObject,
  findings: Findings,
  { existence, referred }: PlanningContext,
): PlannedChange[] {
  const { noun } = desired;
  const needs = noun === "relayers" ? neededBy(findings.patch, existence, findings) : [];
  for (const { path } of findings.cannot) findings.withdraw(path);
  if (findings.members.length === 0 || noun === "signers") return [];
  const operation = operations[`${noun}.update`];
  const { consent, words } = effectOf(operation, findings.patch);
  const risks = noun === "relayers" ? capRisks(findings.patch, live) : [];
  const isCapHidden = desired.hidden.has("policies.gas_price_cap");
  const sent = withReferences(findings.patch, desired);
  referred.set(keyOf(noun, desired.id), sent.referred);
  return [
    {
      ...findings.resource(),
      action: "update",
      members: findings.members,
      body: sent.body,
      effects: [
        ...(isCapHidden ? risks.map(() => "gas_price_cap rises or falls a thousandfold or more") : risks),
        ...words,
      ],
      consent: consent === "none" && risks.length > 0 ? "yes" : consent,
      ...(live.system_disabled === true && { disabled: true as const }),
      needs,
    },
  ];
}

/** Returns the request that creates a resource; none if that is impossible, which is reported. */
export function plannedCreation(
  desired: DesiredResource,
  findings: Findings,
  { live, existence, referred }: PlanningContext,
): PlannedChange[] {
  const { noun, id, fields } = desired;
  if (noun === "networks" || noun === "plugins") {
    findings.outsideApi(`${noun} can be added only in the service's config file`);
    return [];
  }
  if (noun === "signers" && fields.type === "local") {
    findings.outsideApi("keystore signers can be added only in the service's config file");
    return [];
  }
  for (const path of hiddenPaths(fields)) {
    const reason = `the ${noun.slice(0, -1)} has to be created, and the file leaves out a value: write the value in the file`;
    findings.impossible(path, { before: null, after: null, reason });
  }
  const body = creationBody(desired);
  const needs = noun === "relayers" ? neededBy(body, existence, findings) : [];
  const user = noun === "relayers" ? signerUser(fields, live.resources.relayers.values()) : undefined;
  if (user !== undefined) {
    const reason = `relayer "${user}" uses this signer on the network, and a signer serves one relayer per network`;
    findings.impossible("signer_id", { before: null, after: fields.signer_id ?? null, reason });
  }
  if (findings.cannot.length > 0) return [];
  existence.plan(noun, id);
  const members = createdMembers(desired);
  findings.members.push(...members);
  const { consent, words } = effectOf(operations[`${noun}.create`], body);
  const sent = withReferences(body, desired);
  referred.set(keyOf(noun, id), sent.referred);
  return [{ ...findings.resource(), action: "create", members, body: sent.body, effects: words, consent, needs }];
}
