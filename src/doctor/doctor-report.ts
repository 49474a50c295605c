import type { DoctorCode, DoctorSeverity } from "./codes.ts";
import { type Examination, type Finding, remedyLine, type Skipped } from "./finding.ts";

/** What an examination found, and what it did not check. */
export interface DoctorReport {
  /** The worst first. */
  findings: readonly DoctorFinding[];
  skipped: readonly SkippedCheck[];
}

export interface DoctorFinding {
  /** Stable; all codes are in docs/doctor.md. */
  code: DoctorCode;
  severity: DoctorSeverity;
  /** Null for a finding about the service. */
  relayer: string | null;
  /** One sentence of fact. */
  message: string;
  /** RFC 3339; null if it is not known. */
  since: string | null;
  /** The command that ends it, quoted for a shell, maybe with a placeholder in capitals; null if there is none. */
  command: string | null;
  /** What helps in place of a command, or besides it. */
  advice: string | null;
}

export interface SkippedCheck {
  /** Null for relayers that were left out. */
  code: DoctorCode | null;
  relayer: string | null;
  reason: string;
}

export function reportOf({ findings, skipped }: Examination): DoctorReport {
  return { findings: findings.map(buildItem), skipped: skipped.map(skippedItem) };
}

function buildItem({ code, severity, relayer, message, since, remedy, advice, more = [] }: Finding): DoctorFinding {
  const sentences = [...(advice === undefined ? [] : [advice]), ...more];
  return {
    ...{ code, severity, relayer, message },
    since: since === undefined ? null : new Date(since).toISOString(),
    command: remedy ? remedyLine(remedy) : null,
    advice: sentences.length === 0 ? null : sentences.join(" "),
  };
}

function skippedItem({ code, relayer, reason }: Skipped): SkippedCheck {
  return { code, relayer, reason };
}
