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
import type { Examination, Finding, Found, Skipped } from "./finding.ts";
import type { Place } from "./place.ts";

/** Makes every wanted check of the facts. What could not be read is reported as skipped, never as clean. */
export function examine(facts: Facts, wanted: readonly Code[] = ALL_CODES): Examination {
  const { service, relayers, now, flags } = facts;
  const findings: Finding[] = [];
  const skipped: Skipped[] = [];
  const place: Place = {
    ...{ now, flags },
    relayers: "value" in service.relayers ? service.relayers.value : [],
    notifications: "value" in service.notifications ? service.notifications.value : undefined,
  };
  const add = (code: Code, relayer: string | null, needs: readonly Fact<unknown>[], check: () => readonly Found[]) => {
    const reason = missing(needs);
    if (reason !== undefined) skipped.push({ code, relayer, reason });
    else for (const found of check()) findings.push({ ...found, code, relayer, severity: severityOf(code) });
  };
  for (const code of keysOf(SERVICE_CODES, wanted)) {
    const needs = serviceCheck(code).ofService.map((name) => service[name]);
    add(code, null, needs, () => serviceChecks[code](service, place));
  }
  if ("skipped" in service.relayers)
    for (const code of keysOf(RELAYER_CODES, wanted)) add(code, null, [service.relayers], () => []);
  for (const each of relayers)
    for (const code of keysOf(RELAYER_CODES, wanted)) {
      if (!appliesTo(code, each)) continue;
      const needs = relayerCheck(code).ofRelayer.map((name) => each.read[name]);
      add(code, each.relayer.id, needs, () => relayerChecks[code](each, place));
    }
  return { findings, skipped };
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
