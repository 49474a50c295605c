import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { changesOf } from "../changes.ts";
import { isWithin } from "../typed-policies.ts";
import { patchBetween } from "./patch-between.ts";

/**
 * Stops a patch that would write over what somebody else wrote since the relayer was read.
 * @throws RelayctlError conflict
 */
export function refuseChangedMeanwhile(patch: JsonObject, before: Relayer, now: Relayer, hint: string): void {
  const ours = changesOf(patch, before).map(({ path }) => path);
  const theirs = changesOf(patchBetween(before, now), before).map(({ path }) => path);
  const both = theirs.filter((path) => ours.some((own) => isWithin(path, own) || isWithin(own, path)));
  if (both.length === 0) return;
  throw new RelayctlError("conflict", `somebody else changed ${both.join(", ")} of ${before.id} meanwhile`, {
    because: ["nothing was sent"],
    hint,
  });
}
