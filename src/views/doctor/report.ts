import { ageText } from "../../contract/age-text.ts";
import { grouped } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { DoctorSeverity } from "../../doctor/codes.ts";
import type { DoctorFinding } from "../../doctor/doctor-report.ts";
import { type Examination, type Finding, remedyLine, type Skipped } from "../../doctor/finding.ts";
import { column } from "../../terminal/cells.ts";
import type { BlockLine, ResourceView, Tone } from "../../terminal/view.ts";
import { wrapped } from "../../terminal/wrap.ts";

export type FindingItem = JsonObject & DoctorFinding;

const FIELDS = ["code", "severity", "relayer", "message", "since", "command", "advice"];

export const findingView: ResourceView<FindingItem> = {
  one: "finding",
  many: "findings",
  id: "code",
  table: [
    column("severity", "severity"),
    column("code", "code"),
    column("relayer", "relayer"),
    column("message", "message"),
  ],
  flat: FIELDS,
  fields: FIELDS,
  block: () => [],
};

const TONES: Readonly<Record<DoctorSeverity, Tone | undefined>> = { fail: "bad", warn: "warn", note: undefined };
/** The columns that the label takes. */
const LABEL = 8;

/** Returns the lines for a terminal: up to three for each finding, of which the last ones are what helps. */
export function findingLines(
  { findings, skipped }: Examination,
  { columns, now }: { columns: number; now: number },
): BlockLine[] {
  const width = columns - LABEL;
  return [
    ...findings.flatMap((finding) => listLines(finding, width, now)),
    ...skippedTexts(skipped).flatMap((text) => labeled("skip", wrapped(text, width), "faint")),
  ];
}

function listLines(finding: Finding, width: number, now: number): BlockLine[] {
  const { code, severity, relayer, message, since, remedy, advice = "", more = [] } = finding;
  const age = since === undefined ? "" : ` (${ageText(Math.max(0, now - since))})`;
  const head = `${code}${relayer === null ? "" : ` ${relayer}`}${age}: ${message}`;
  const lines = wrapped(head, width);
  const fits = (text: string) => wrapped(text, width).length + lines.length + (remedy ? 1 : 0) <= MOST_LINES;
  const sentences = more.reduce(
    (shown, next) => (fits(`${shown} ${next}`) ? `${shown} ${next}`.trim() : shown),
    advice,
  );
  const help = [...(remedy ? [remedyLine(remedy)] : []), ...wrapped(sentences, width)];
  return [
    ...labeled(severity, lines, TONES[severity]),
    ...help.filter(Boolean).map((text) => ({ label: "", value: { text } })),
  ];
}

/** The lines of a finding, unless its words need more. */
const MOST_LINES = 3;

function labeled(label: string, lines: readonly string[], tone: Tone | undefined): BlockLine[] {
  return lines.map((text, index) => ({ label: index === 0 ? label : "", value: { text, tone } }));
}

/** Checks that were skipped for the same reason, and the relayers that they were skipped of. */
interface SkippedGroup {
  relayers: string[];
  codes: readonly string[];
  reason: string;
}

/** Returns the skipped checks, one line for each reason and the checks that it prevented. */
export function skippedTexts(skipped: readonly Skipped[]): string[] {
  const groups = new Map<string, SkippedGroup>();
  for (const group of byRelayer(skipped)) {
    const key = [...group.codes, group.reason].join("\n");
    const known = groups.get(key);
    if (known) known.relayers.push(...group.relayers);
    else groups.set(key, group);
  }
  return [...groups.values()].map(({ relayers, codes, reason }) =>
    [foldedNames(relayers, "relayers"), foldedNames(codes, "checks"), reason].filter(Boolean).join(": "),
  );
}

function byRelayer(skipped: readonly Skipped[]): SkippedGroup[] {
  const groups = new Map<string, { relayers: string[]; codes: string[]; reason: string }>();
  for (const { code, relayer, reason } of skipped) {
    const key = `${relayer ?? ""}\n${reason}`;
    const group = groups.get(key) ?? { relayers: relayer === null ? [] : [relayer], codes: [], reason };
    groups.set(key, group);
    if (code !== null) group.codes.push(code);
  }
  return [...groups.values()];
}

const MOST_NAMES = 3;

function foldedNames(names: readonly string[], noun: string): string {
  if (names.length <= MOST_NAMES) return names.join(", ");
  const others = grouped(names.length - MOST_NAMES);
  return `${names.slice(0, MOST_NAMES).join(", ")}, and ${others} more ${noun}`;
}
