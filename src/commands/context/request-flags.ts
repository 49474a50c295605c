import { type Problem, usageError } from "../../errors.ts";
import type { CommonFlags } from "../../flow/common-flags.ts";

/**
 * Refuses the flags that speak of a request to be sent, in the commands that read and change what is stored here: a dry
 * run that changes something would be a broken promise.
 * @throws RelayctlError usage
 */
export function refuseRequestFlags({ demo, dryRun, curl }: CommonFlags): void {
  const typed = { "--demo": demo, "--dry-run": dryRun, "--curl": curl };
  const problems: Problem[] = Object.entries(typed)
    .filter(([, value]) => value !== undefined)
    .map(([where]) => ({
      where,
      rule: "has no meaning for auth and context, which know nothing of the demo and show no request",
    }));
  if (problems.length > 0) throw usageError(problems);
}
