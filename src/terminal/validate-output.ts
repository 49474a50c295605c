import { usageError } from "../errors.ts";
import type { OutputOptions } from "./output-options.ts";
import { readSelection } from "./select/selection.ts";
import type { ResourceView } from "./view.ts";

/**
 * Judges the output flags of a command before it sends anything; after a write it would be too late to refuse them.
 * @param resource what the command will show; absent when its result is no resource, as a reply of `api`
 * @throws RelayctlError usage, with every problem
 */
export async function validateOutput(options: OutputOptions, resource?: ResourceView): Promise<void> {
  if (!resource && options.fields !== undefined) {
    throw usageError([
      {
        where: "--fields",
        given: options.fields,
        rule: "this result has no known fields; use --query instead",
      },
    ]);
  }
  await readSelection(options, resource);
}
