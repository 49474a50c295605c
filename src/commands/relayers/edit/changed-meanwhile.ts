import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { changeText } from "../change/change-text.ts";
import { type Change, changesOf } from "../change/changes.ts";
import { isWithin } from "../change/typed-policies.ts";
import { patchBetween } from "./patch-between.ts";

/**
 * Stops a patch that would write over what somebody else wrote since the relayer was read, and tells what is there now.
 * @param symbol of the coin of its network, where that is known
 * @throws RelayctlError conflict
 */
export function refuseChangedMeanwhile(
  patch: JsonObject,
  before: Relayer,
  { now, symbol }: { now: Relayer; symbol: string | undefined },
  hint: string,
): void {
  const ours = changesOf(patch, before).map(({ path }) => path);
  const theirs = changesOf(patchBetween(before, now), before);
  const both = theirs.filter(({ path }) => ours.some((own) => isWithin(path, own) || isWithin(own, path)));
  if (both.length === 0) return;
  const paths = both.map(({ path }) => path).join(", ");
  throw new RelayctlError("conflict", `${paths} of ${before.id} changed in the meantime`, {
    because: [...both.flatMap((change) => changeWords(change, now, symbol)), "nothing was sent"],
    hint,
  });
}

function changeWords(theirs: Change, relayer: Relayer, symbol: string | undefined): string[] {
  const { label, change, entries } = changeText(theirs, { relayer, symbol, known: true });
  return [`${label} ${change}`, ...entries.map((entry) => `  ${entry}`)];
}
