import { usageError } from "../errors.ts";
import type { OutputFormat, OutputOptions } from "./output-options.ts";
import { readSelection } from "./select/selection.ts";
import type { ResourceView } from "./view.ts";

const ONLY: Partial<Record<OutputFormat, { has: keyof ResourceView; commands: string }>> = {
  prom: { has: "hasMetrics", commands: "`relayctl relayers status`" },
  markdown: { has: "hasMarkdown", commands: "`relayctl plan` and `relayctl drift`" },
  sarif: { has: "isOfFiles", commands: "`relayctl validate`" },
  github: { has: "isOfFiles", commands: "`relayctl validate`" },
};

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
  const { format = "table" } = options;
  const only = ONLY[format];
  if (only && !resource?.[only.has])
    throw usageError([{ where: "-o", given: format, rule: `is a format of ${only.commands} only` }]);
  await readSelection(options, resource);
}
