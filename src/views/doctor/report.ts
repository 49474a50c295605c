import { ageText } from "../../contract/age-text.ts";
import { firstNames, groupDigits, pluralize } from "../../contract/decimal.ts";
import { groupBy } from "../../contract/group-by.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type DoctorCode, type DoctorSeverity, doctorCodeText, isLocalCode, SEVERITIES } from "../../doctor/codes.ts";
import type { DoctorFinding } from "../../doctor/examine.ts";
import { type Examination, type Finding, fixCommand, type Skipped } from "../../doctor/finding.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { type ResourceView, type ScreenLine, toColumn, viewPlainFields } from "../../terminal/view.ts";

export type FindingItem = JsonObject & DoctorFinding;

const FIELDS = ["code", "severity", "relayer", "message", "since", "command", "advice"];

export const findingView: ResourceView<FindingItem> = {
  one: "finding",
  many: "findings",
  id: "code",
  table: [
    toColumn("severity", "severity"),
    toColumn("code", "code"),
    toColumn("relayer", "relayer"),
    toColumn("message", "message"),
  ],
  ...viewPlainFields(FIELDS),
};

const LABELS = {
  fail: { text: "fail", sign: "bad", tone: "bad" },
  warn: { text: "warn", sign: "attention", tone: "warn" },
  note: { text: "note", sign: "note", tone: "faint" },
} as const;

const NOUNS: Readonly<Record<DoctorSeverity, string>> = { fail: "failure", warn: "warning", note: "note" };

export interface ReportForm {
  /** The time that ages refer to, in milliseconds since 1970. */
  now: number;
  flags: readonly string[];
  showsNotes: boolean;
  /** Whether each finding is shown with all its facts, and why checks were skipped. */
  isVerbose: boolean;
}

export function doctorReportScreen({ findings, skipped }: Examination, form: ReportForm): ScreenLine[] {
  const { showsNotes, isVerbose } = form;
  const shown = findings.filter(({ severity }) => showsNotes || severity !== "note");
  return [
    ...[...groupBy(shown, ({ code }) => code).values()].flatMap((found) => groupLines(found, form)),
    ...reportSkippedTexts(skipped.filter(({ code }) => isVerbose || code === null)).map((text) => ({
      ...SKIPPED,
      words: [text],
    })),
  ];
}

const SKIPPED = { label: { text: "skip", sign: "note", tone: "faint" }, name: "skipped" } as const;

const MOST_ENTRIES: Readonly<Record<DoctorSeverity, number>> = { fail: 3, warn: 1, note: 1 };

function groupLines(found: readonly Finding[], form: ReportForm): ScreenLine[] {
  if (form.isVerbose) return found.map((finding) => groupLine([finding], finding.message, form));
  const byMessage = [...groupBy(found, ({ message }) => message).entries()];
  const [{ code, severity }] = found as [Finding];
  if (byMessage.length > MOST_ENTRIES[severity]) return [groupLine(found, doctorCodeText(code), form)];
  return byMessage.map(([message, same]) => groupLine(same, message, form));
}

function groupLine(found: readonly Finding[], message: string, form: ReportForm): ScreenLine {
  const [{ code, severity, relayer, since, advice = "", more = [], ...first }] = found as [Finding];
  const [relayers, isOne] = [found.flatMap((each) => each.relayer ?? []), found.length === 1];
  const age = since === undefined || !isOne ? "" : ` (${ageText(Math.max(0, form.now - since))})`;
  const isShared = message === first.message;
  const [sentence, id = ""] = apartFromId(message, first);
  const command = isShared ? sharedRemedy(found) : showsEach(code, form.flags);
  const sentences = [advice, ...(isOne && form.isVerbose ? more : [])].join(" ").trim();
  return {
    label: LABELS[severity],
    name: isOne
      ? (relayer ?? (isLocalCode(code) ? "machine" : "service"))
      : `${groupDigits(found.length)} ${relayers.length > 0 ? "relayers" : "findings"}`,
    words: [
      `${sentence}${age}`,
      id,
      isOne ? "" : firstNames(relayers, MOST_NAMES),
      command ?? "",
      isOne || command === undefined ? sentences : "",
    ].filter(Boolean),
    aside: code,
  };
}

/** Returns a sentence without the ID in its parentheses, and the ID if it is of one finding. */
function apartFromId(sentence: string, { message, transaction }: Pick<Finding, "message" | "transaction">): string[] {
  if (transaction === undefined || sentence !== message) return [sentence];
  return [sentence.replace(` (${transaction})`, ""), transaction];
}

function sharedRemedy(found: readonly Finding[]): string | undefined {
  const [remedy] = found.flatMap((each) => each.remedy ?? []);
  if (!remedy || found.length === 1 || found.length > MOST_NAMES) return remedy && fixCommand(remedy);
  const others = found.map((each) => each.remedy?.argv.filter((word) => word !== each.relayer).join(" "));
  const ids = found.flatMap(({ relayer }) => relayer ?? []);
  const isShared = new Set(others).size === 1 && remedy.argv.includes("relayers") && ids.length === found.length;
  if (!isShared) return fixCommand(remedy);
  return fixCommand({
    ...remedy,
    argv: remedy.argv.flatMap((word) => (word === found[0]?.relayer ? ids : [word])),
  });
}

function showsEach(code: DoctorCode, flags: readonly string[]): string {
  const isOfQueue = /^(?:TX-(?:OLD|PHANTOM)|NONCE-)/.test(code);
  return commandLine(...flags, ...(isOfQueue ? ["tx", "stuck"] : ["doctor", "--only", code, "-v"]));
}

export function reportCountText(findings: readonly Finding[]): string {
  const parts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((each) => each.severity === severity).length;
    return count === 0 ? [] : pluralize(count, NOUNS[severity]);
  });
  return parts.length === 0 ? "nothing found" : parts.join(", ");
}

/** Returns the last line of a report: `5 failures, 8 notes · 8 relayers of prod`. */
export function reportSummaryText({ findings }: Examination, relayers: number, name: string): string {
  if (findings.length === 0) return `nothing found in ${name}`;
  return `${reportCountText(findings)} · ${relayers === 0 ? "" : `${pluralize(relayers, "relayer")} of `}${name}`;
}

export function reportSkippedCount(skipped: readonly Skipped[]): string {
  const checks = skipped.filter(({ code }) => code !== null).length;
  const relayers = new Set(skipped.flatMap(({ relayer }) => relayer ?? [])).size;
  if (checks === 0) return "";
  return ` · ${pluralize(checks, "check")} skipped${relayers === 0 ? "" : ` on ${pluralize(relayers, "relayer")}`} (-v)`;
}

export function reportSkippedTexts(skipped: readonly Skipped[]): string[] {
  const ofRelayers = [...groupBy(skipped, ({ relayer, reason }) => `${relayer ?? ""}\n${reason}`).values()].map(
    (same) => ({
      relayers: same[0]?.relayer ?? [],
      codes: same.flatMap(({ code }) => code ?? []),
      reason: same[0]?.reason ?? "",
    }),
  );
  const groups = groupBy(ofRelayers, ({ codes, reason }) => [...codes, reason].join("\n"));
  return [...groups.values()].map((same) => {
    const [{ codes, reason } = { codes: [], reason: "" }] = same;
    const relayers = same.flatMap((each) => each.relayers);
    return [firstNames(relayers, MOST_NAMES), firstNames(codes, MOST_NAMES), reason].filter(Boolean).join(": ");
  });
}

const MOST_NAMES = 3;
