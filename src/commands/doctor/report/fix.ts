import { commandLine } from "../../../command-support/shell-words.ts";
import type { Call } from "../../command.ts";
import type { Examination, Finding } from "../finding.ts";

/** What came of the commands of findings. */
export interface Fixes {
  /** The number of commands that were run. */
  run: number;
  /** The number of them that failed. */
  failed: number;
}

/**
 * Asks for each command that can be run as it is, and runs it as if it had been typed: it asks its own questions, and is
 * recorded in the journal. The same command is offered once.
 */
export async function offerFixes(call: Call, { findings }: Pick<Examination, "findings">): Promise<Fixes> {
  const { app, say, perform } = call;
  const session = await call.session();
  const prompts = await app.prompts();
  const offered = new Set<string>();
  const fixes: Fixes = { run: 0, failed: 0 };
  for (const finding of findings) {
    if (!finding.remedy?.isComplete || app.interrupt.aborted) continue;
    const { argv } = finding.remedy;
    const line = commandLine(...argv);
    if (offered.has(line)) continue;
    offered.add(line);
    await say(headOf(finding));
    if (!(await prompts.confirm(`Run ${line}?`))) continue;
    fixes.run++;
    // A command may wait for long, which is no time of the examination.
    if ((await session.pausing(perform(argv))) !== 0) fixes.failed++;
  }
  return fixes;
}

function headOf({ severity, code, relayer, message }: Finding): string {
  return `${severity} ${code}${relayer === null ? "" : ` ${relayer}`}: ${message}`;
}
