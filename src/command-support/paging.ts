import type { App } from "../app.ts";
import { hasPlainLines } from "../terminal/capabilities.ts";
import type { Output } from "../terminal/streams/output.ts";
import { createPagedOutput, type PagedOutput } from "../terminal/streams/paged-output.ts";
import type { CommonFlags } from "./common-flags.ts";
import { canPrompt } from "./prompting/prompts.ts";

interface Paging {
  stdout: Output;
  common: Pick<CommonFlags, "pager" | "input">;
  warn(line: { warning: string }): Promise<void>;
  opening(): Promise<void>;
}

/** A pager waits for a key like a prompt, and is refused where prompts are. */
export function pagedOutput(app: App, { stdout, common, warn, opening }: Paging): PagedOutput | undefined {
  if (common.pager === false || !stdout.isTerminal || hasPlainLines(app.env) || !canPrompt(app, common)) return;
  const failed = (problem: string) =>
    warn({ warning: `the pager failed: ${problem}; --no-pager prints all without it` });
  const open = async () => {
    await opening();
    const pager = await app.pager();
    if (!pager || !("problem" in pager)) return pager;
    // A missing default pager is not worth a warning.
    if (app.env.RELAYCTL_PAGER ?? app.env.PAGER) await warn({ warning: `the pager cannot be used: ${pager.problem}` });
    return undefined;
  };
  return createPagedOutput(stdout, open, failed);
}
