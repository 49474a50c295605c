import { isLoopbackOrigin } from "../../config/connection/origin.ts";
import { ageText } from "../../contract/age-text.ts";
import { groupDigits, pluralize } from "../../contract/decimal.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { CERTIFICATE_DAYS, OWN_CERTIFICATE_DAYS, type ServiceCode } from "../codes.ts";
import { type Clocks, factValue, type LocalFacts, MOST_SKEW, type Readiness, type ServiceFacts } from "../facts.ts";
import type { Checked, Found } from "../finding.ts";
import { hasNotification, type Place, proposedNotification, remedyFor, usesOfNotification } from "../remedies.ts";
import { checkedUrls } from "./all-relayer-checks.ts";
import { checkChangedJournal, checkOldNode, checkOpenFiles, checkUnsettledWrites } from "./local-checks.ts";

const DAY = 86_400_000;

/** The service's checks, which only run if their facts were read. */
export const serviceChecks: Readonly<Record<ServiceCode, (facts: ServiceFacts, place: Place) => Checked>> = {
  "SVC-REACH": ({ health }) => checkReach(factValue(health)),
  "SVC-AUTH": ({ token }, place) => checkToken(factValue(token), place),
  "SVC-READY": ({ ready }) => checkReadiness(factValue(ready)),
  "SVC-CLOCK": ({ clock }) => checkClocks(factValue(clock)),
  "SVC-TLS": ({ certificate }, { now }) => checkExpiry(factValue(certificate), now),
  "CERT-EXPIRES": ({ local }, { now }) => ownExpiry(factValue(local), now, 0, OWN_CERTIFICATE_DAYS.fail),
  "CERT-EXPIRING": ({ local }, { now }) =>
    ownExpiry(factValue(local), now, OWN_CERTIFICATE_DAYS.fail, OWN_CERTIFICATE_DAYS.warn),
  "CERT-CHAIN": ({ local }) => checkChain(factValue(local)),
  "SVC-VERSION": ({ relayers }) => checkVersions(factValue(relayers)),
  "SVC-RATE": ({ limited }) => checkRateLimit(factValue(limited)),
  "RPC-SHARED": ({ relayers }) => sharedHosts(factValue(relayers)),
  "HOOK-NO-KEY": ({ relayers, notifications }, place) => noKey(factValue(relayers), factValue(notifications), place),
  "HOOK-HTTP": ({ notifications }, place) =>
    factValue(notifications).flatMap(({ id, url }) => {
      if (typeof url !== "string" || !/^http:/i.test(url) || (URL.canParse(url) && isLoopbackOrigin(url))) return [];
      const message = `notification ${id} is sent over http, so anyone on the way can read and change it`;
      return [{ message, remedy: remedyFor(place, "notifications", "update", { id }, "--url", "URL") }];
    }),
  "HOOK-UNUSED": ({ relayers, notifications }, place) =>
    findUnused(factValue(relayers), factValue(notifications), place),
  // A config that cannot be read ends the examination before.
  "CONF-READ": () => undefined,
  "CONF-MODE": ({ local }) => checkOpenFiles(factValue(local)),
  "NODE-VERSION": ({ local }, place) => checkOldNode(factValue(local), place),
  "JOURNAL-CHANGED": ({ journal }) => checkChangedJournal(factValue(journal)),
  "JOURNAL-UNKNOWN": ({ journal }, place) => checkUnsettledWrites(factValue(journal), place),
};

function checkReach(problem: string | undefined): Found | undefined {
  if (problem === undefined) return undefined;
  return { message: problem, advice: "Check the URL, and ask the operator of the service whether it runs." };
}

function checkToken(refusal: { message: string; isGateway: boolean } | undefined, place: Place): Found | undefined {
  if (refusal === undefined) return undefined;
  const { message, isGateway } = refusal;
  if (isGateway) return { message, advice: GATEWAY_ADVICE };
  return { message, remedy: { ...remedyFor(place, "auth", "login"), isComplete: false } };
}

const GATEWAY_ADVICE =
  "Send the headers that the gateway demands (--header 'Name: value'), or a client certificate (--cert); auth login stores both.";

function checkReadiness({ isReady, parts }: Readiness): Found | undefined {
  if (isReady && parts.length === 0) return undefined;
  const [first = "it does not show which part", ...others] = parts;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return {
    message: `the service is ${isReady ? "degraded" : "not ready"}: ${first}${more}`,
    advice: "Send this to the operator of the service; `relayctl server ready` shows all parts.",
  };
}

/** A `Date` header leaves out fractions of a second. */
const SECOND = 1000;

function checkClocks({ service, here }: Clocks): Found | undefined {
  const skew = service - here;
  if (Math.abs(skew) <= MOST_SKEW) return undefined;
  const ahead = skew > 0 ? "the service" : "this machine";
  return {
    message: `the clocks of the service and of this machine differ by ${ageText(Math.abs(skew) + SECOND)}: the clock of ${ahead} is ahead`,
    advice: "Correct the clock that is wrong: ages and --valid-until depend on both.",
  };
}

function checkExpiry(ends: number | undefined, now: number): Found | undefined {
  if (ends === undefined || ends - now > CERTIFICATE_DAYS * DAY) return undefined;
  const message = `the certificate of the service ${endText(ends, now)}`;
  return { message, advice: "Ask the operator of the service to renew it." };
}

function endText(ends: number, now: number): string {
  return ends <= now ? "has expired" : `expires in ${ageText(ends - now)}`;
}

function ownExpiry({ certificate }: LocalFacts, now: number, above: number, days: number): Found | undefined {
  if (!certificate) return undefined;
  const left = certificate.ends - now;
  if (left > days * DAY || (above > 0 && left <= above * DAY)) return undefined;
  const message = `the client certificate, or one of its chain, ${endText(certificate.ends, now)}`;
  return { message, advice: "Have a new one issued, and put it into the file of --cert or of the context." };
}

function checkChain({ certificate }: LocalFacts): Found | undefined {
  if (certificate?.missing === undefined) return undefined;
  const { missing, others } = certificate;
  const rest = others === 0 ? "" : `; the file has ${groupDigits(others)} more that do not belong to it`;
  return {
    message: `the chain of the client certificate ends at its issuer ${missing}${rest}`,
    advice: "If that is not a root that the service trusts, append its certificate to the file.",
  };
}

function checkRateLimit(limited: number): Found | undefined {
  if (limited === 0) return undefined;
  const times = limited === 1 ? "1 request" : `${limited} requests`;
  return {
    message: `the service refused ${times} by rate, which other users of the token share`,
    advice: "Ask for fewer relayers at a time, or have RATE_LIMIT_REQUESTS_PER_SECOND raised.",
  };
}

/** The real service before v1.7 is known by its relayers, which always show these and never the third (facts 4.3). */
function checkVersions(relayers: readonly Relayer[]): Found | undefined {
  const evm = relayers.filter(({ network_type: kind, policies }) => kind === "evm" && isJsonObject(policies));
  const has = (name: string, type: string) =>
    evm.every(({ policies }) => isJsonObject(policies) && jsonType(policies[name]) === type);
  const isReal = evm.length > 0 && has("min_balance", "number") && has("gas_limit_estimation", "boolean");
  if (!isReal || !has("include_revert_data", "undefined")) return undefined;
  return {
    message: "the service looks like v1.6 or older, which keeps no reasons of reverts",
    advice: "Ask the operator of the service to update it to v1.8.",
  };
}

function jsonType(value: JsonValue | undefined): string {
  return typeof value === "bigint" || typeof value === "object" ? "number" : typeof value;
}

function noKey(relayers: readonly Relayer[], notifications: readonly Notification[], place: Place): Found[] {
  return notifications.flatMap(({ id, has_signing_key: hasKey }) => {
    const count = usesOfNotification(relayers, id);
    if (hasKey !== false || count === 0) return [];
    const message = `notification ${id} has no signing key, and receives from ${pluralize(count, "relayer")}`;
    return [{ message, remedy: remedyFor(place, "notifications", "update", { id }, "--signing-key-file", "FILE") }];
  });
}

function findUnused(relayers: readonly Relayer[], notifications: readonly Notification[], place: Place): Found[] {
  const isWanted = (id: string) =>
    id === proposedNotification(place) && relayers.some((each) => !hasNotification(each));
  return notifications.flatMap(({ id }): Found[] => {
    if (usesOfNotification(relayers, id) > 0) return [];
    const message = `no relayer uses notification ${id}`;
    if (isWanted(id)) return [{ message, advice: "Use it for the relayers that have none, or delete it." }];
    return [{ message, remedy: remedyFor(place, "notifications", "delete", { id }) }];
  });
}

/** A host that several relayers depend on: if it fails, all of them do. */
function sharedHosts(relayers: readonly Relayer[]): Found[] {
  const byHost = new Map<string, number>();
  for (const { custom_rpc_urls: own } of relayers) {
    const hosts = new Set(checkedUrls(own).flatMap((url) => (URL.canParse(url) ? new URL(url).host : [])));
    const [host, ...others] = hosts;
    if (host !== undefined && others.length === 0) byHost.set(host, (byHost.get(host) ?? 0) + 1);
  }
  return [...byHost].flatMap(([host, count]) => {
    if (count < 2) return [];
    const message = `${host} is the only RPC host of ${pluralize(count, "relayer")}: if it fails, all of them stop`;
    return [{ message, advice: "Add a second URL of another provider to each, with --rpc-url." }];
  });
}
