import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { holdsAlready } from "../read-before.ts";
import type { Change } from "../relayers/change/changes.ts";
import { defaultOf, policyAt } from "../relayers/change/policy-field.ts";
import { inRequestForm, type Reversal, valueAt } from "./reversal.ts";

/** What became of a run's changes of one resource since. */
export type LiveState =
  | "left"
  /** The resource has its previous values again. */
  | "restored"
  /** The members that changed since: `was` is what the run left, `requested` the present value. */
  | { since: readonly Change[] };

/** Compares a resource as it is now with what a run left, and with what was before it, in the members that it changed. */
export function liveStateOf({ noun, changes }: Reversal, resource: JsonObject): LiveState {
  const live = inRequestForm(noun, resource);
  const now = ({ path }: Change) => valueAt(live, path);
  // Where a policy is unset, the service returns its default as soon as another policy is set (facts 4.3).
  const isSame = ({ path }: Change, one: JsonValue, other: JsonValue) => {
    const unset = noun === "relayers" ? (defaultOf(policyAt(path, resource as Relayer)) ?? null) : null;
    return hasSameValue(path, one ?? unset, other ?? unset);
  };
  if (changes.every((change) => isSame(change, change.was ?? null, now(change)))) return "restored";
  const moved = changes.filter((change) => !isSame(change, change.requested, now(change)));
  if (moved.length === 0) return "left";
  return { since: moved.map((change) => ({ path: change.path, was: change.requested, requested: now(change) })) };
}

/** Returns whether two values of a member are the same. A comparison covers only the members of its first object. */
function hasSameValue(path: string, one: JsonValue, other: JsonValue): boolean {
  const field = path.slice(path.lastIndexOf(".") + 1);
  return holdsAlready({ [field]: one }, { [field]: other }) && holdsAlready({ [field]: other }, { [field]: one });
}
