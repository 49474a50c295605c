import { machineChecks } from "../../../doctor/checks/machine-checks.ts";
import { type MachineCode, SEVERITIES, severityOf } from "../../../doctor/codes.ts";
import type { Examination, Finding, Skipped } from "../../../doctor/finding.ts";
import type { MachineFacts } from "../../../doctor/machine-facts.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { type DoctorRequest, viewOf, writeReport } from "../report/run-doctor.ts";
import { readMachine } from "./machine-facts.ts";

/** Examines this machine alone, for all contexts, and sends nothing. */
export async function runLocal(call: Call, request: DoctorRequest): Promise<View> {
  const { codes, junit } = request;
  const { now } = call.app.clock;
  const report = junit === undefined ? undefined : await call.app.lineFile(junit);
  try {
    const first = examineMachine(await readMachine(call), codes as readonly MachineCode[]);
    const fixes = request.fix
      ? await (await import("../report/fix.ts")).offerFixes(call, first, (waiting) => waiting)
      : undefined;
    const isChanged = fixes !== undefined && fixes.run > 0;
    const last = isChanged ? examineMachine(await readMachine(call), codes as readonly MachineCode[]) : first;
    const checks = codes.map((code) => ({ code, relayer: null }));
    if (report) await writeReport(call.app, report, { examination: last, checks }, request, "this machine");
    const place = { now: now(), name: "the setup of this machine", flags: [] };
    return await viewOf(call, { examination: last, checks, ...place }, request, fixes);
  } finally {
    await report?.close();
  }
}

function examineMachine(facts: MachineFacts, codes: readonly MachineCode[]): Examination {
  const findings: Finding[] = [];
  const skipped: Skipped[] = [];
  for (const code of codes) {
    const { needs, find } = machineChecks[code];
    const need = needs?.(facts);
    if (need && "skipped" in need) skipped.push({ code, relayer: null, reason: need.skipped });
    else findings.push(...find(facts).map((found) => ({ ...found, code, relayer: null, severity: severityOf(code) })));
  }
  const ordered = SEVERITIES.flatMap((severity) => findings.filter((each) => each.severity === severity));
  return { findings: ordered, skipped };
}
