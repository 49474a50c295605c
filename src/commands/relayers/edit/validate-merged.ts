import type { Problems } from "../../../command-support/problems.ts";
import { type JsonObject, mergePatch } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { newlyBroken } from "./draft.ts";
import { newlyMissing } from "./missing-policies.ts";

/**
 * Adds a problem for each rule that a change would break in the merged relayer, which is what the service validates
 * (facts 4.5). Rules broken before are ignored, and no path is reported twice.
 * @param sourceOf returns where a path within the policies was typed
 */
export function validateMerged(
  problems: Problems,
  patch: JsonObject,
  relayer: Relayer,
  sourceOf: (path: string) => string,
): void {
  const after = mergePatch(relayer, patch);
  const broken = newlyBroken(relayer, after).map(({ where, rule }) => ({ path: where, rule }));
  for (const { path, rule } of [...newlyMissing(relayer, after), ...broken]) {
    if (!problems.has(sourceOf(path))) problems.add(sourceOf(path), rule);
  }
}
