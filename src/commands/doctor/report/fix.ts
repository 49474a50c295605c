import { type Examination, type Finding, fixCommand, type Remedy } from "../../../doctor/finding.ts";
import { cancelError, EXIT_CODES, interruptedError, RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import { DOCTOR_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

export interface Fixes {
  run: number;
  failed: number;
}

/** Runs each command as if typed: it asks its own questions, and is recorded. @throws RelayctlError interrupted */
export async function offerDoctorFixes(
  call: Call,
  examination: Pick<Examination, "findings">,
  pausing: Session["pausing"],
): Promise<Fixes> {
  const fixes: Fixes = { run: 0, failed: 0 };
  try {
    await offerEach(call, examination, pausing, fixes);
    return fixes;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure !== "interrupted" || fixes.run === 0) throw error;
    const applied = fixes.failed < fixes.run ? "yes" : error.applied;
    throw interruptedError(`: ${doctorFixesText(fixes)}`, {
      applied,
      continues: "again",
      cause: error,
    });
  }
}

async function offerEach(
  call: Call,
  { findings }: Pick<Examination, "findings">,
  pausing: Session["pausing"],
  fixes: Fixes,
): Promise<void> {
  const { app, say } = call;
  const prompts = await app.prompts();
  const offered = new Set<string>();
  for (const finding of findings) {
    if (!finding.remedy?.isComplete || app.interrupt.aborted) continue;
    const line = fixCommand(finding.remedy);
    if (offered.has(line)) continue;
    offered.add(line);
    await say(findingHead(finding));
    if (!(await prompts.confirm(`Run ${line}?`))) continue;
    fixes.run++;
    // A command may wait for long, which does not count as examination.
    const exitCode = await pausing(runRemedy(call, finding.remedy));
    if (exitCode !== 0) fixes.failed++;
    if (exitCode === EXIT_CODES.interrupted) throw cancelError("interrupted", "unknown");
  }
}

async function runRemedy({ app, say, perform }: Call, { program, argv }: Remedy): Promise<number> {
  if (program === undefined) return await perform(argv);
  const { problem } = await app.execute([program, ...argv], { timeout: DOCTOR_TIMEOUT, maxBytes: 0 });
  if (problem !== undefined) await say(problem);
  return problem === undefined ? 0 : 1;
}

export function doctorFixesText({ run, failed }: Fixes): string {
  const many = run === 1 ? "1 command was run" : `${run} commands were run`;
  if (failed === 0) return many;
  return failed < run ? `${many}, and ${failed} of them failed` : `${many}, and ${run === 1 ? "failed" : "all failed"}`;
}

function findingHead({ severity, code, relayer, message }: Finding): string {
  return `${severity} ${code}${relayer === null ? "" : ` ${relayer}`}: ${message}`;
}
