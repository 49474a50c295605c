import { relayerChecks } from "./checks/all-relayer-checks.ts";
import { serviceChecks } from "./checks/service-checks.ts";
import {
  ALL_CODES,
  type Code,
  RELAYER_CODES,
  type RelayerCode,
  relayerCheck,
  SERVICE_CODES,
  type ServiceCode,
  serviceCheck,
  severityOf,
} from "./codes.ts";
import type { Fact, Facts, RelayerFacts } from "./facts.ts";
import type { Examination, Found } from "./finding.ts";
import type { Place } from "./place.ts";

/** Makes every wanted check of the facts. What could not be read is reported as skipped, never as clean. */
export function examine(facts: Facts, wanted: readonly Code[] = ALL_CODES): Examination {
  const { service, relayers, now, flags } = facts;
  const place: Place = {
    ...{ now, flags },
    relayers: "value" in service.relayers ? service.relayers.value : [],
    notifications: "value" in service.notifications ? service.notifications.value : undefined,
  };
  const codes = keysOf(RELAYER_CODES, wanted);
  const parts = [
    ...keysOf(SERVICE_CODES, wanted).map((code) => {
      const needs = serviceCheck(code).ofService.map((name) => service[name]);
      return checked({ code, relayer: null }, needs, () => serviceChecks[code](service, place));
    }),
    ...("skipped" in service.relayers ? codes : []).map((code) =>
      checked({ code, relayer: null }, [service.relayers], () => []),
    ),
    ...relayers.flatMap((each) =>
      codes.filter((code) => appliesTo(code, each)).map((code) => ofRelayer(code, each, place)),
    ),
  ];
  return { findings: parts.flatMap(({ findings }) => findings), skipped: parts.flatMap(({ skipped }) => skipped) };
}

function ofRelayer(code: RelayerCode, facts: RelayerFacts, place: Place): Examination {
  const { ofRelayer: names, partly } = relayerCheck(code);
  const subject = { code, relayer: facts.relayer.id };
  const needs = names.map((name) => facts.read[name]);
  const { findings, skipped } = checked(subject, needs, () => relayerChecks[code](facts, place));
  const rest = partly === undefined || skipped.length > 0 ? undefined : missing([facts.read[partly]]);
  return { findings, skipped: rest === undefined ? skipped : [{ ...subject, reason: rest }] };
}

/** Makes a check if its facts were read. */
function checked(
  subject: { code: Code; relayer: string | null },
  needs: readonly Fact<unknown>[],
  check: () => readonly Found[],
): Examination {
  const reason = missing(needs);
  if (reason !== undefined) return { findings: [], skipped: [{ ...subject, reason }] };
  const severity = severityOf(subject.code);
  return { findings: check().map((found) => ({ ...found, ...subject, severity })), skipped: [] };
}

function keysOf<T extends ServiceCode | RelayerCode>(
  table: Readonly<Record<T, unknown>>,
  wanted: readonly Code[],
): T[] {
  return (Object.keys(table) as T[]).filter((code) => wanted.includes(code));
}

function appliesTo(code: RelayerCode, { relayer }: RelayerFacts): boolean {
  return relayerCheck(code).isEvmOnly !== true || relayer.network_type === "evm";
}

/** Returns why a fact is missing; undefined if none is. */
function missing(needs: readonly Fact<unknown>[]): string | undefined {
  const [reason] = needs.flatMap((fact) => ("skipped" in fact ? fact.skipped : []));
  return reason;
}
