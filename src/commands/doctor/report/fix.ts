import { DOCTOR_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { type Examination, type Finding, type Remedy, remedyLine } from "../finding.ts";

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
  const { app, say } = call;
  const session = await call.session();
  const prompts = await app.prompts();
  const offered = new Set<string>();
  const fixes: Fixes = { run: 0, failed: 0 };
  for (const finding of findings) {
    if (!finding.remedy?.isComplete || app.interrupt.aborted) continue;
    const line = remedyLine(finding.remedy);
    if (offered.has(line)) continue;
    offered.add(line);
    await say(headOf(finding));
    if (!(await prompts.confirm(`Run ${line}?`))) continue;
    fixes.run++;
    // A command may wait for long, which is no time of the examination.
    if (!(await session.pausing(isDone(call, finding.remedy)))) fixes.failed++;
  }
  return fixes;
}

/** Runs a command, and returns whether it succeeded. */
async function isDone({ app, say, perform }: Call, { program, argv }: Remedy): Promise<boolean> {
  if (program === undefined) return (await perform(argv)) === 0;
  const { problem } = await app.execute([program, ...argv], { timeout: DOCTOR_TIMEOUT, maxBytes: 0 });
  if (problem !== undefined) await say(problem);
  return problem === undefined;
}

function headOf({ severity, code, relayer, message }: Finding): string {
  return `${severity} ${code}${relayer === null ? "" : ` ${relayer}`}: ${message}`;
}
