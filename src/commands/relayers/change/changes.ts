import { holdsAlready } from "../../../client/read-back/compare.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";

export interface Change {
  /** Dotted: `paused`, `policies.swap_config.strategy`. */
  path: string;
  requested: JsonValue;
  /** Absent if the relayer was not read, or lacked the field. */
  was: JsonValue | undefined;
}

/** Policies are split into fields if they replace an object; a new object is one change, for one undo. */
export function changesOf(body: JsonObject, before: Relayer | undefined): Change[] {
  const changes = Object.entries(body).flatMap(([key, requested]) =>
    key === "policies" ? policyChanges(requested, before) : [{ path: key, requested, was: before?.[key] }],
  );
  return before ? changes.filter((change) => !isUnchanged(change)) : changes;
}

function policyChanges(requested: JsonValue, before: Relayer | undefined): Change[] {
  if (isJsonObject(requested)) return innerChanges(requested, "policies", before?.policies, before !== undefined);
  return before ? resets(before) : [{ path: "policies", requested, was: undefined }];
}

function innerChanges(requested: JsonObject, prefix: string, before: JsonValue | undefined, known: boolean): Change[] {
  const old = objectIn(before);
  return Object.entries(requested).flatMap(([key, value]) => {
    const path = `${prefix}.${key}`;
    const opens = isJsonObject(value) && (!known || isJsonObject(old[key]));
    return opens ? innerChanges(value, path, old[key], known) : [{ path, requested: value, was: old[key] }];
  });
}

/** Returns every policy that would lose its value: a set default may differ from an unset field. */
function resets({ policies }: Relayer): Change[] {
  const fields = Object.entries(objectIn(policies));
  return fields.map(([key, was]) => ({ path: `policies.${key}`, requested: null, was }));
}

function isUnchanged({ path, requested, was }: Change): boolean {
  const field = path.slice(path.lastIndexOf(".") + 1);
  return holdsAlready({ [field]: requested }, was === undefined ? {} : { [field]: was });
}
