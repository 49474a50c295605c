import { grouped } from "../../../contract/decimal.ts";
import type { NotCompared, OutsideApi, Plan } from "../../../fleet/plan.ts";
import type { Cell } from "../../../terminal/view.ts";
import { groupedByResource, resourceName } from "./words.ts";

/** Up to this many values that were not compared are listed. */
const FEW = 5;

/**
 * Returns the lines about what is no change: values that were not compared, differences that no request can change, and
 * resources that are not in the files.
 * @param all whether they are listed however many there are
 */
export function restLines({ not_compared, outside, unmanaged }: Plan, all: boolean): Cell[] {
  const block = (title: string, lines: readonly string[], count: number): Cell[] => {
    if (count === 0) return [];
    const isShort = !all && count > FEW;
    const head = isShort ? `${title}: ${grouped(count)} (-v lists them)` : title;
    return [{ text: head }, ...(isShort ? [] : lines).map((text) => ({ text: `    ${text}`, tone: "faint" as const }))];
  };
  return [
    ...block("not compared", partTexts(not_compared), not_compared.length),
    ...block("outside of the API", partTexts(outside), outside.length),
    ...block("not in the files", unmanaged.map(resourceName), unmanaged.length),
  ];
}

/** Returns `notification ops-hook signing_key: the service does not return it`, one line for each resource and reason. */
function partTexts(parts: readonly (NotCompared | OutsideApi)[]): string[] {
  return groupedByResource(parts).flatMap((members) => {
    const reasons = new Map<string, string[]>();
    for (const { path, reason } of members)
      reasons.set(reason, [...(reasons.get(reason) ?? []), ...(path ? [path] : [])]);
    return [...reasons].map(
      ([reason, paths]) => `${[resourceName(members[0]), paths.join(", ")].filter(Boolean).join(" ")}: ${reason}`,
    );
  });
}
