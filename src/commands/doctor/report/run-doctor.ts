import { setMaxListeners } from "node:events";
import { dirname } from "node:path";
import type { LineFile } from "../../../app.ts";
import { showIfDryRun } from "../../../command-support/shown.ts";
import type { Settings } from "../../../config/resolve-settings.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { operations } from "../../../contract/operations.ts";
import {
  type DoctorCode,
  type DoctorSeverity,
  doctorCodeSeverity,
  doctorCodesNeedStatus,
  SEVERITIES,
} from "../../../doctor/codes.ts";
import { doctorChecks, doctorReport, examineFacts } from "../../../doctor/examine.ts";
import type { ExposedFile, LocalFacts } from "../../../doctor/facts.ts";
import type { Examination, Finding } from "../../../doctor/finding.ts";
import { type Examiner, readFacts } from "../../../doctor/read/read-facts.ts";
import { RelayctlError, rescue } from "../../../errors.ts";
import { statusFailure } from "../../../relayer-state/read-status-routes.ts";
import { readSettings } from "../../../session/read-settings.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { listFrom, onePageView, type View } from "../../../terminal/view.ts";
import type { MadeCheck } from "../../../views/doctor/junit.ts";
import {
  doctorReportScreen,
  type FindingItem,
  findingView,
  type ReportForm,
  reportCountText,
  reportSkippedCount,
  reportSkippedTexts,
  reportSummaryText,
} from "../../../views/doctor/report.ts";
import type { Call } from "../../command.ts";
import { readJournal } from "../read/read-journal.ts";
import type { Fixes } from "./fix.ts";

export interface DoctorRequest {
  ids: readonly string[] | undefined;
  all: boolean;
  codes: readonly DoctorCode[];
  failOn: DoctorSeverity;
  showsNotes: boolean;
  fix: boolean;
  junit: string | undefined;
}

export async function runDoctor(call: Call, request: DoctorRequest): Promise<View> {
  const shown = await showIfDryRun(call, { operation: operations["relayers.list"] });
  if (shown) return shown;
  return await runDoctorAndFix(call, request, {
    examine: () => examineFleet(call, request),
    pausing: async () => (await call.session()).pausing,
    place: async () => await call.session().catch(() => ({ name: "the service", flags: [] })),
  });
}

interface Examining {
  examine(): Promise<Examined>;
  pausing(): Promise<Session["pausing"]>;
  place(): Promise<{ name: string; flags: readonly string[] }>;
  /** The subject besides relayers (default: service). */
  subject?: string;
}

export async function runDoctorAndFix(
  call: Call,
  request: DoctorRequest,
  { examine, pausing, place, subject }: Examining,
): Promise<View> {
  const report = request.junit === undefined ? undefined : await call.app.lineFile(request.junit);
  try {
    const first = await examine();
    const fixes = request.fix
      ? await (await import("./fix.ts")).offerDoctorFixes(call, first.examination, await pausing())
      : undefined;
    const last = fixes && fixes.run > 0 ? await examine() : first;
    if (report) await writeReport(call.app, report, last, request, subject);
    const { name, flags } = await place();
    return await doctorView(call, { ...last, name, flags }, request, fixes);
  } finally {
    await report?.close();
  }
}

async function writeReport(
  { secrets }: Call["app"],
  report: LineFile,
  { examination, checks }: Pick<Examined, "examination" | "checks">,
  { failOn }: DoctorRequest,
  subject?: string,
) {
  const { junitLines } = await import("../../../views/doctor/junit.ts");
  const isFailure = (severity: DoctorSeverity) => isAtLeast(severity, failOn);
  const lines = junitLines({ checks, examination, isFailure, ...(subject !== undefined && { subject }) });
  // In one piece, so that a full disk leaves no part of it.
  await report.append(secrets.redact([...lines].join("\n")));
}

interface Examined {
  now: number;
  examination: Examination;
  checks: readonly MadeCheck[];
  unread?: RelayctlError | undefined;
  missed?: RelayctlError | undefined;
}

async function examineFleet(call: Call, { ids, all, codes }: DoctorRequest): Promise<Examined> {
  const isClose = doctorCodesNeedStatus(codes);
  try {
    const { leftOut, ...facts } = await readFacts(await createExaminer(call), { ids, all, isClose });
    const checks = [...doctorChecks(facts, codes)].map(({ code, of }) => ({ code, relayer: of?.relayer.id ?? null }));
    const { relayers } = facts.service;
    const unread = "skipped" in relayers ? relayers.failure : undefined;
    const { masked } = call.app.secrets;
    const examination = masked(examineFacts(facts, codes, leftOut));
    const failures = new Map(
      examination.skipped.flatMap(({ relayer, failure }) => (failure ? [[relayer ?? "the service", failure]] : [])),
    );
    const subjects = [...checks.flatMap(({ relayer }) => relayer ?? []), ...failures.keys()];
    const missed = statusFailure(subjects, failures, call.app.interrupt)?.masked(masked);
    return { now: facts.now, examination, checks: masked(checks), unread: unread?.masked(masked), missed };
  } catch (error) {
    const found = error instanceof RelayctlError ? await findObstacle(call, error) : undefined;
    if (!found) throw error;
    const checks = codes.map((code) => ({ code, relayer: null }));
    return { now: call.app.clock.now(), examination: blockedBy(found, codes), checks, unread: error as RelayctlError };
  }
}

type Obstacle = Pick<Finding, "code" | "message" | "remedy" | "advice">;

async function findObstacle(call: Call, { failure, message }: RelayctlError): Promise<Obstacle | undefined> {
  if (failure === "auth") return { code: "SVC-AUTH", message, remedy: { argv: ["auth", "login"], isComplete: false } };
  const fault = failure === "usage" ? await configFault(call) : undefined;
  if (fault === undefined) return undefined;
  return { code: "CONF-READ", message: fault, advice: "Correct the file, or move it away and log in again." };
}

function blockedBy(found: Obstacle, codes: readonly DoctorCode[]): Examination {
  const finding = { ...found, severity: doctorCodeSeverity(found.code), relayer: null };
  return {
    findings: codes.includes(found.code) ? [finding] : [],
    skipped: codes.flatMap((code) => (code === found.code ? [] : [{ code, relayer: null, reason: found.message }])),
  };
}

async function doctorView(
  call: Pick<Call, "app" | "output" | "among" | "common" | "argv">,
  { examination, checks, unread, missed, name, ...place }: Examined & { name: string; flags: readonly string[] },
  request: DoctorRequest,
  fixes: Fixes | undefined,
): Promise<View> {
  const { app, output } = call;
  const { findings, skipped } = examination;
  // Among several services, a finding would hide that one was not examined.
  const isMissed = call.among !== undefined && unread !== undefined;
  const failure = isMissed
    ? new RelayctlError(unread.failure, `not examined: ${unread.message}`, { retryable: unread.retryable })
    : (unread?.with({ because: ["no relayer was examined"] }) ?? doctorFailure(findings, request.failOn) ?? missed);
  const report = doctorReport(examination);
  const items = report.findings as readonly FindingItem[];
  const isVerbose = call.common.verbose !== undefined;
  const form = { ...place, showsNotes: request.showsNotes || isVerbose, isVerbose };
  const relayers = new Set(checks.flatMap(({ relayer }) => relayer ?? [])).size;
  const fixNotes = fixes && fixes.run > 0 ? [(await import("./fix.ts")).doctorFixesText(fixes)] : [];
  const summary = reportSummaryText(examination, relayers, name);
  const format = output.format ?? (app.stdout.isTerminal ? "table" : "tsv");
  if (["tsv", "csv", "ndjson", "name"].includes(format) && output.query === undefined) {
    const notes = [...reportSkippedTexts(skipped).map((text) => `skipped: ${text}`), summary, ...fixNotes];
    return listFrom({ name }, findingView, onePageView(items), {
      nothing: null,
      ending: async () => ({ notes, failure }),
    });
  }
  const isScreen = format === "table" && output.query === undefined;
  return {
    kind: "facts",
    lines: [],
    screen: doctorReportScreen(examination, form),
    value: report as unknown as JsonObject,
    lists: ["findings", "skipped"],
    notes: isScreen
      ? [...foldedNotes(call, findings, form), summary + reportSkippedCount(skipped), ...fixNotes]
      : [summary, ...fixNotes],
    failure,
  };
}

function foldedNotes({ argv }: Pick<Call, "argv">, findings: Examination["findings"], form: ReportForm): string[] {
  const notes = findings.filter(({ severity }) => severity === "note");
  if (form.showsNotes || notes.length === 0) return [];
  const place = argv.indexOf("doctor") + 1;
  return [`${reportCountText(notes)}: ${commandLine(...argv.slice(0, place), "--notes", ...argv.slice(place))}`];
}

function doctorFailure(findings: Examination["findings"], failOn: DoctorSeverity): RelayctlError | undefined {
  const failing = findings.filter(({ severity }) => isAtLeast(severity, failOn));
  if (failing.length === 0) return undefined;
  const summary = failing.slice(0, MOST_ANNOTATED).map(({ code, relayer, message }) => {
    return `${relayer === null ? code : `${code} ${relayer}`}: ${message}`;
  });
  return new RelayctlError("unmet", reportCountText(findings), { isSaid: true, summary });
}

/** The findings in the annotation of a job, whose result is elsewhere. */
const MOST_ANNOTATED = 10;

function isAtLeast(severity: DoctorSeverity, least: DoctorSeverity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}

/** relayctl makes its own files private whenever it reads them; the user's files may stay open. */
async function readLocal({ app, common }: Call, journal: string | undefined): Promise<LocalFacts> {
  const settings = await readSettings(app, common);
  const open = findExposedFiles(app, filesInUse(settings, app.config, journal));
  const { name, version } = app.runtime;
  const files = settings.demo ? undefined : settings.certificate;
  const certificate = files && (await (await import("../read/read-certificate.ts")).readCertificateChain(app, files));
  return {
    ...{ open, nodeVersion: settings.demo || name !== "node" ? undefined : version },
    ...(certificate && { certificate }),
  };
}

export function findExposedFiles(
  app: Pick<Call["app"], "othersMay">,
  files: readonly Omit<ExposedFile, "others">[],
): ExposedFile[] {
  return files.flatMap((file) => {
    const others = app.othersMay(file.path);
    return others === undefined || (others === "read" && !file.isSecret) ? [] : [{ ...file, others }];
  });
}

function filesInUse(settings: Settings, config: Call["app"]["config"], journal: string | undefined) {
  if (settings.demo) return [];
  const { context, token, headers, caFiles, certificate } = settings;
  const { key = certificate?.value.cert, passphraseFile } = certificate?.value ?? {};
  const secret = (path: string, what: string) => ({ path, what, isSecret: true });
  const shared = (path: string, what: string) => ({ path, what, isSecret: false });
  return [
    ...(context ? [secret(config.path, "the config"), shared(dirname(config.path), "the folder of the config")] : []),
    ...(token.kind === "file" && token.path !== "-" ? [secret(token.path, "the file with the token")] : []),
    ...headers.flatMap((source) =>
      source.kind === "file" && source.path !== "-" ? [secret(source.path, "a file with headers")] : [],
    ),
    ...(key === undefined ? [] : [secret(key, "the file with the key of the client certificate")]),
    ...(passphraseFile === undefined ? [] : [secret(passphraseFile, "the file with the passphrase of the key")]),
    ...caFiles.map(({ value }) => shared(value, "a file with certificates to trust")),
    ...(journal === undefined ? [] : [shared(journal, "the folder of the journal")]),
  ];
}

async function createExaminer(call: Call): Promise<Examiner> {
  const { clock, interrupt, abandon } = call.app;
  // Each request in progress listens to the signals.
  setMaxListeners(0, interrupt, abandon);
  return {
    session: await call.session(),
    ...{ clock, interrupt, isDemo: call.common.demo === true, count: call.count },
    async readHere(relayers) {
      const { folder, ...read } = await readJournal(call, relayers);
      return { ...read, local: { value: await readLocal(call, folder) } };
    },
  };
}

async function configFault({ app, common }: Call): Promise<string | undefined> {
  if (common.demo) return undefined;
  const found = await rescue(app.config.read(), (error) => {
    if (error.failure !== "usage") throw error;
    return error.message;
  });
  return typeof found === "string" ? found : undefined;
}
