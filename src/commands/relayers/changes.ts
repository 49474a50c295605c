import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";

/** One member that a patch changes. */
export interface Change {
  /** Dotted: `paused`, `policies.swap_config.strategy`. */
  path: string;
  asked: JsonValue;
  /** Absent when the thing was not read before, or had no such member. */
  was: JsonValue | undefined;
}

/**
 * The members that a patch changes. Policies are opened, as far down as what was there before is an object too: what is
 * new as a whole is one change, so that it can be taken back as one.
 */
export function changesOf(body: JsonObject, before: JsonObject | undefined): Change[] {
  return Object.entries(body).flatMap(([key, asked]) =>
    key === "policies" && isJsonObject(asked)
      ? innerChanges(asked, "policies", before?.policies, before !== undefined)
      : [{ path: key, asked, was: before?.[key] }],
  );
}

function innerChanges(asked: JsonObject, prefix: string, before: JsonValue | undefined, known: boolean): Change[] {
  const old = isJsonObject(before) ? before : {};
  return Object.entries(asked).flatMap(([key, value]) => {
    const path = `${prefix}.${key}`;
    const opens = isJsonObject(value) && (!known || isJsonObject(old[key]));
    return opens ? innerChanges(value, path, old[key], known) : [{ path, asked: value, was: old[key] }];
  });
}
