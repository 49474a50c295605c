import { groupBy } from "../../contract/group-by.ts";
import type { DoctorCode, DoctorSeverity } from "../../doctor/codes.ts";
import { type Examination, type Finding, fixCommand, type Skipped } from "../../doctor/finding.ts";
import { escapeText } from "../../terminal/escape.ts";

export interface MadeCheck {
  code: DoctorCode;
  relayer: string | null;
}

export interface JunitReport {
  checks: Iterable<MadeCheck>;
  /** The subject besides relayers (default: service). */
  subject?: string;
  examination: Examination;
  isFailure(severity: DoctorSeverity): boolean;
}

export function* junitLines({ checks, subject = "service", examination, isFailure }: JunitReport): Generator<string> {
  const findings = groupBy(examination.findings, checkKey);
  const skipped = groupBy(examination.skipped, checkKey);
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  yield '<testsuites name="relayctl doctor">';
  let suite: string | null | undefined;
  for (const { code, relayer } of checks) {
    if (relayer !== suite) {
      if (suite !== undefined) yield "  </testsuite>";
      yield `  <testsuite name="${escapeXml(relayer ?? subject)}">`;
      suite = relayer;
    }
    const key = checkKey({ code, relayer });
    yield testCase({ code, subject: relayer ?? subject }, findings.get(key) ?? [], skipped.get(key) ?? [], isFailure);
  }
  if (suite !== undefined) yield "  </testsuite>";
  yield "</testsuites>";
}

function testCase(
  { code, subject }: { code: DoctorCode; subject: string },
  findings: readonly Finding[],
  skipped: readonly Skipped[],
  isFailure: JunitReport["isFailure"],
): string {
  const parts = [
    ...findings.map((finding) => findingElement(finding, isFailure(finding.severity))),
    ...(findings.length > 0 ? [] : skipped.map(({ reason }) => `<skipped message="${escapeXml(reason)}"/>`)),
  ];
  const start = `    <testcase classname="${escapeXml(subject)}" name="${code}"`;
  return parts.length === 0 ? `${start}/>` : `${start}>${parts.join("")}</testcase>`;
}

function findingElement({ severity, message, remedy, advice }: Finding, isFailure: boolean): string {
  const help = escapeXml(remedy ? fixCommand(remedy) : (advice ?? ""));
  if (isFailure) return `<failure type="${severity}" message="${escapeXml(message)}">${help}</failure>`;
  return `<system-out>${escapeXml(`${severity}: ${message}`)}${help && `; ${help}`}</system-out>`;
}

function checkKey({ code, relayer }: Pick<Skipped, "code" | "relayer">): string {
  return `${code} ${relayer ?? ""}`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return escapeText(text).replace(/[&<>"\ufffe\uffff]/g, (character) => ENTITIES[character] ?? "\ufffd");
}
