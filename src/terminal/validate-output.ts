import { usageError } from "../errors.ts";
import type { OutputOptions } from "./output-options.ts";
import { readSelection } from "./select/selection.ts";
import type { ResourceView } from "./view.ts";

/**
 * Validates the output flags of a command before it sends anything; after a write it would be too late to refuse them.
 * @param resource the resource that the command will show; absent if its result is not a resource, e.g. a response of
 * `api`
 * @throws RelayctlError usage, with every problem
 */
export async function validateOutput(options: OutputOptions, resource?: ResourceView): Promise<void> {
  if (!resource && options.fields !== undefined) {
    const rule = "this result has no known fields";
    throw usageError([{ where: "--fields", given: options.fields, rule }]);
  }
  if (options.format === "prom" && !resource?.hasMetrics) {
    throw usageError([{ where: "-o", given: "prom", rule: "is a format of `relayctl relayers status` only" }]);
  }
  if (options.format === "markdown" && !resource?.hasMarkdown) {
    throw usageError([
      { where: "-o", given: "markdown", rule: "is a format of `relayctl plan` and `relayctl drift` only" },
    ]);
  }
  await readSelection(options, resource);
}
