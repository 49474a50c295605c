import type { RelayctlError } from "../errors.ts";
import { commandLine, shellWord } from "../shell/shell-words.ts";
import type { DoctorCode, DoctorSeverity } from "./codes.ts";

export interface Remedy {
  program?: "chmod";
  /** The words after the program. */
  argv: readonly string[];
  /** Whether it can be run unchanged: without a placeholder and a secret. */
  isComplete: boolean;
}

export function fixCommand({ program, argv }: Pick<Remedy, "program" | "argv">): string {
  return program === undefined ? commandLine(...argv) : [program, ...argv].map(shellWord).join(" ");
}

export interface Found {
  /** One sentence of fact, without a period. */
  message: string;
  /** The transaction that the sentence has in parentheses. */
  transaction?: string | undefined;
  /** Milliseconds since 1970. */
  since?: number | undefined;
  remedy?: Remedy | undefined;
  /** Advice without a fixing command: one sentence, e.g. for the service's operator, or a command that shows more. */
  advice?: string | undefined;
  /** Further sentences, shown if there is room. */
  more?: readonly string[];
}

export type Checked = Found | readonly Found[] | undefined;

export function doctorFindings(checked: Checked): readonly Found[] {
  return [checked ?? []].flat();
}

export interface Finding extends Found {
  code: DoctorCode;
  severity: DoctorSeverity;
  relayer: string | null;
}

export interface Skipped {
  /** Null for everything about relayers that were left out. */
  code: DoctorCode | null;
  relayer: string | null;
  reason: string;
  failure?: RelayctlError;
}

export interface Examination {
  /** In the order of the checks: the service first, then the relayers. */
  findings: readonly Finding[];
  skipped: readonly Skipped[];
}
