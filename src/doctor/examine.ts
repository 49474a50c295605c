import type { Client } from "../client/client.ts";
import type { Clock } from "../client/clock.ts";
import { groupDigits } from "../contract/decimal.ts";
import { createStopwatch } from "../session/stopwatch.ts";
import { relayerChecks } from "./checks/all-relayer-checks.ts";
import { serviceChecks } from "./checks/service-checks.ts";
import {
  ALL_CODES,
  type DoctorCode,
  type DoctorSeverity,
  doctorCodeSeverity,
  doctorCodesNeedStatus,
  isLocalCode,
  RELAYER_CODES,
  type RelayerCode,
  SERVICE_CODES,
  SEVERITIES,
  type ServiceCode,
} from "./codes.ts";
import type { Fact, Facts, RelayerFacts } from "./facts.ts";
import { type Checked, doctorFindings, type Examination, type Finding, fixCommand, type Skipped } from "./finding.ts";
import { type Examiner, readFacts } from "./read/read-facts.ts";
import type { Place } from "./remedies.ts";

export interface DoctorOptions {
  /** IDs (default: up to 100 relayers, disabled and paused ones first). */
  relayers?: readonly string[];
  /** Whether to examine all relayers, even more than 100 (default: false). */
  all?: boolean;
  /** The codes of the checks to make (default: all except the checks of the machine). */
  only?: readonly DoctorCode[];
  /** The codes of the checks to leave out. */
  ignore?: readonly DoctorCode[];
  /** Milliseconds after which checks that still need to be read are skipped (default: no limit). */
  deadline?: number;
}

interface DoctorNeeds {
  /** Returns a client without retries for a time limit. */
  clientFor(remaining: () => number): Client;
  origin: string;
  clock: Clock;
  interrupt: AbortSignal;
}

/** Sends at most eight requests a relayer. What cannot be read is skipped. @throws not_found; interrupted */
export async function examineService(
  { clientFor, origin, clock, interrupt }: DoctorNeeds,
  { relayers: ids, all = false, only = ALL_CODES, ignore = [], deadline }: DoctorOptions = {},
): Promise<DoctorReport> {
  const { remaining } = createStopwatch(clock, deadline);
  const codes = ALL_CODES.filter((code) => only.includes(code) && !ignore.includes(code) && !isLocalCode(code));
  const examiner: Examiner = {
    session: {
      briefly: (limit) => clientFor(() => Math.min(limit, remaining?.() ?? limit)),
      ...(remaining && { remaining }),
      ownNode: async () => undefined,
      flags: ["--server", origin],
    },
    ...{ clock, interrupt, isDemo: false },
    readHere: async () => ({ journal: NOT_READ, local: NOT_READ, pauses: NOT_READ, accepted: NOT_READ }),
  };
  const { leftOut, ...facts } = await readFacts(examiner, { ids, all, isClose: doctorCodesNeedStatus(codes) });
  return doctorReport(examineFacts(facts, codes, leftOut));
}

const NOT_READ = { skipped: "the library does not read the files of this machine" };

/** Returns the worst finding first. What could not be read is skipped, never clean. @param leftOut beyond the limit */
export function examineFacts(facts: Facts, wanted: readonly DoctorCode[] = ALL_CODES, leftOut = 0): Examination {
  const { service, now, flags } = facts;
  const place: Place = {
    ...{ now, flags },
    relayers: "value" in service.relayers ? service.relayers.value : [],
    notifications: "value" in service.notifications ? service.notifications.value : undefined,
  };
  const parts = [...doctorChecks(facts, wanted)].map((check) => {
    if (check.of) return examineRelayer(check.code, check.of, place);
    const { code } = check;
    if (!isOfService(code)) return runCheck({ code, relayer: null }, [service.relayers], () => undefined);
    const needs = SERVICE_CODES[code].ofService.map((name) => service[name]);
    return runCheck({ code, relayer: null }, needs, () => serviceChecks[code](service, place));
  });
  const findings = parts.flatMap((part) => part.findings);
  const reason = `${groupDigits(leftOut)} further relayers were not examined: specify their IDs, or use --all`;
  const others = leftOut === 0 ? [] : [{ code: null, relayer: null, reason }];
  return {
    findings: SEVERITIES.flatMap((severity) => findings.filter((each) => each.severity === severity)),
    skipped: [...parts.flatMap(({ skipped }) => skipped), ...others],
  };
}

type Subject = { code: DoctorCode; of?: undefined } | { code: RelayerCode; of: RelayerFacts };

/** Yields every wanted check; a relayer's checks without a relayer if they could not be listed. */
export function* doctorChecks({ service, relayers }: Facts, wanted: readonly DoctorCode[]): Generator<Subject> {
  const codes = codesIn(RELAYER_CODES, wanted);
  for (const code of codesIn(SERVICE_CODES, wanted)) yield { code };
  if ("skipped" in service.relayers) for (const code of codes) yield { code };
  for (const of of relayers) for (const code of codes) if (appliesTo(code, of)) yield { code, of };
}

function isOfService(code: DoctorCode): code is ServiceCode {
  return code in SERVICE_CODES;
}

function examineRelayer(code: RelayerCode, facts: RelayerFacts, place: Place): Examination {
  const { ofRelayer: names, partly } = RELAYER_CODES[code];
  const subject = { code, relayer: facts.relayer.id };
  const needs = names.map((name) => facts.read[name]);
  const { findings, skipped } = runCheck(subject, needs, () => relayerChecks[code](facts, place));
  const rest = partly === undefined || skipped.length > 0 ? undefined : missingFact([facts.read[partly]]);
  return { findings, skipped: rest === undefined ? skipped : [{ ...subject, ...rest }] };
}

function runCheck(
  subject: { code: DoctorCode; relayer: string | null },
  needs: readonly Fact<unknown>[],
  check: () => Checked,
): Examination {
  const reason = missingFact(needs);
  if (reason !== undefined) return { findings: [], skipped: [{ ...subject, ...reason }] };
  const severity = doctorCodeSeverity(subject.code);
  return { findings: doctorFindings(check()).map((found) => ({ ...found, ...subject, severity })), skipped: [] };
}

function codesIn<T extends ServiceCode | RelayerCode>(
  table: Readonly<Record<T, unknown>>,
  wanted: readonly DoctorCode[],
): T[] {
  return (Object.keys(table) as T[]).filter((code) => wanted.includes(code));
}

function appliesTo(code: RelayerCode, { relayer }: RelayerFacts): boolean {
  return RELAYER_CODES[code].isEvmOnly !== true || relayer.network_type === "evm";
}

function missingFact(needs: readonly Fact<unknown>[]): Pick<Skipped, "reason" | "failure"> | undefined {
  const gaps = needs.flatMap((fact) => ("skipped" in fact ? fact : []));
  const [first] = gaps;
  const failure = gaps.find((gap) => gap.failure)?.failure;
  return first && { reason: first.skipped, ...(failure && { failure }) };
}

/** The findings, and the skipped checks. */
export interface DoctorReport {
  /** The worst first. */
  findings: readonly DoctorFinding[];
  skipped: readonly SkippedCheck[];
}

export interface DoctorFinding {
  /** Stable; `relayctl help codes` lists all codes. */
  code: DoctorCode;
  severity: DoctorSeverity;
  /** Null for a finding about the service. */
  relayer: string | null;
  /** One sentence of fact. */
  message: string;
  /** RFC 3339; null if unknown. */
  since: string | null;
  /** The command that fixes it, quoted for a shell, maybe with a placeholder in capitals; null without one. */
  command: string | null;
  /** Advice in place of a command, or in addition. */
  advice: string | null;
}

export interface SkippedCheck {
  /** Null for relayers that were left out. */
  code: DoctorCode | null;
  relayer: string | null;
  reason: string;
}

export function doctorReport({ findings, skipped }: Examination): DoctorReport {
  return {
    findings: findings.map(findingItem),
    skipped: skipped.map(({ code, relayer, reason }) => ({ code, relayer, reason })),
  };
}

function findingItem({ code, severity, relayer, message, since, remedy, advice, more = [] }: Finding): DoctorFinding {
  const sentences = [...(advice === undefined ? [] : [advice]), ...more];
  return {
    ...{ code, severity, relayer, message },
    since: since === undefined ? null : new Date(since).toISOString(),
    command: remedy ? fixCommand(remedy) : null,
    advice: sentences.length === 0 ? null : sentences.join(" "),
  };
}
