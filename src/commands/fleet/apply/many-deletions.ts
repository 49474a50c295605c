import { grouped } from "../../../contract/decimal.ts";
import { type Problem, usageError } from "../../../errors.ts";
import type { ApplyStep } from "../../../fleet/apply/apply-step.ts";
import type { LiveFleet } from "../../../fleet/live.ts";

/** At most one of so many is deleted. */
const ONE_IN = 5;

/**
 * Refuses to delete more than a fifth of the relayers, or of all resources that were compared: a file that is missing by
 * mistake must not delete a fleet.
 * @throws RelayctlError usage
 */
export function refuseManyDeletions(steps: readonly ApplyStep[], { resources, nouns }: LiveFleet): void {
  const deleted = steps.filter(({ change }) => change.action === "delete");
  const relayers = deleted.filter(({ change }) => change.noun === "relayers").length;
  const all = [...nouns].reduce((sum, noun) => sum + resources[noun].size, 0);
  const problems = [
    ...problemOf(relayers, resources.relayers.size, "relayers"),
    ...problemOf(deleted.length, all, "resources"),
  ];
  if (problems.length > 0) throw usageError(problems);
}

function problemOf(deleted: number, all: number, what: string): Problem[] {
  if (deleted * ONE_IN <= all) return [];
  const rule = `would delete ${grouped(deleted)} of ${grouped(all)} ${what}, more than a fifth; delete them one by one`;
  return [{ where: "--prune", rule }];
}
