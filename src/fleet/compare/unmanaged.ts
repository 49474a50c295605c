import { effectOf } from "../../contract/effect.ts";
import { idProblem } from "../../contract/id.ts";
import { type JsonObject, mergePatch } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { DesiredFleet, FleetNoun } from "../desired.ts";
import type { LiveFleet } from "../live.ts";
import type { PlannedChange, PlannedResource } from "../plan.ts";
import { byText } from "./canonical-json.ts";
import { keyOf } from "./existence.ts";

/** What can be deleted, in the order in which it is: a relayer uses the other two. */
const DELETABLE = ["relayers", "signers", "notifications"] as const satisfies readonly FleetNoun[];

/** Returns the resources of the service that the files do not describe, if they could be deleted. */
export function unmanagedIn(desired: DesiredFleet, live: LiveFleet): PlannedResource[] {
  const described = new Set(desired.resources.map(({ noun, id }) => keyOf(noun, id)));
  return DELETABLE.filter((noun) => desired.nouns.has(noun)).flatMap((noun) => {
    const ids = [...live.resources[noun].keys()].filter((id) => !described.has(keyOf(noun, id)));
    return ids.sort(byText).map((id) => ({ noun, id }));
  });
}

/**
 * Returns the deletions of what the files do not describe. A signer or a notification that a relayer still uses stays.
 * @param changes what is done before: a relayer may stop using a notification
 */
export function deletions(
  unmanaged: readonly PlannedResource[],
  live: LiveFleet,
  changes: readonly PlannedChange[],
): PlannedChange[] {
  const deleted = new Set(unmanaged.map(({ noun, id }) => keyOf(noun, id)));
  const relayers = changes.filter(({ noun }) => noun === "relayers");
  const bodies = new Map(relayers.map(({ id, body }) => [id, body]));
  for (const [id, fields] of live.resources.relayers) {
    const isKept = !deleted.has(keyOf("relayers", id));
    bodies.set(id, isKept ? mergePatch(fields, bodies.get(id) ?? {}) : {});
  }
  return unmanaged.flatMap(({ noun, id }): PlannedChange[] => {
    const member = MEMBERS[noun];
    if (idProblem(id) !== undefined) return [];
    if (member && !isUnused(member, id, live, bodies)) return [];
    const users = [...live.resources.relayers].filter(([, fields]) => member && fields[member] === id);
    const needs = users.map(([user]) => keyOf("relayers", user)).sort(byText);
    const { words, consent } = effectOf(operations[`${noun as (typeof DELETABLE)[number]}.delete`], undefined);
    return [{ noun, id, action: "delete", members: [], body: {}, effects: words, consent, needs }];
  });
}

/** The members of a relayer that use a resource. */
const MEMBERS: Partial<Record<FleetNoun, "signer_id" | "notification_id">> = {
  signers: "signer_id",
  notifications: "notification_id",
};

/** @param then the relayers after all other changes */
function isUnused(member: string, id: string, live: LiveFleet, then: ReadonlyMap<string, JsonObject>): boolean {
  if (!live.nouns.has("relayers")) return false;
  return [...then.values()].every((fields) => fields[member] !== id);
}
