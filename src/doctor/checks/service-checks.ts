import { ageText } from "../../contract/age-text.ts";
import { grouped } from "../../contract/decimal.ts";
import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { CERTIFICATE_DAYS, OWN_CERTIFICATE_DAYS, type ServiceCode } from "../codes.ts";
import { type Clocks, known, type LocalFacts, MOST_SKEW, type Readiness, type ServiceFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import { type Place, remedy } from "../place.ts";
import { oldNode, openFiles } from "./local-checks.ts";
import { changedJournal, noKey, noTls, sharedHosts, unsettledWrites, unused } from "./notification-checks.ts";

const DAY = 86_400_000;

/** The checks of the service. Each is made only if its facts were read. */
export const serviceChecks: Readonly<Record<ServiceCode, (facts: ServiceFacts, place: Place) => readonly Found[]>> = {
  "SVC-REACH": ({ health }) => reach(known(health)),
  "SVC-AUTH": ({ token }, place) => auth(known(token), place),
  "SVC-READY": ({ ready }) => readiness(known(ready)),
  "SVC-CLOCK": ({ clock }) => clocks(known(clock)),
  "SVC-TLS": ({ certificate }, { now }) => expiry(known(certificate), now),
  "CERT-EXPIRES": ({ local }, { now }) => ownExpiry(known(local), now, 0, OWN_CERTIFICATE_DAYS.fail),
  "CERT-EXPIRING": ({ local }, { now }) =>
    ownExpiry(known(local), now, OWN_CERTIFICATE_DAYS.fail, OWN_CERTIFICATE_DAYS.warn),
  "CERT-CHAIN": ({ local }) => chain(known(local)),
  "SVC-VERSION": ({ relayers }) => version(known(relayers)),
  "SVC-RATE": ({ limited }) => rate(known(limited)),
  "RPC-SHARED": ({ relayers }) => sharedHosts(known(relayers)),
  "HOOK-NO-KEY": ({ relayers, notifications }, place) => noKey(known(relayers), known(notifications), place),
  "HOOK-HTTP": ({ notifications }, place) => noTls(known(notifications), place),
  "HOOK-UNUSED": ({ relayers, notifications }, place) => unused(known(relayers), known(notifications), place),
  // A config that cannot be read ends the examination before.
  "CONF-READ": () => [],
  "CONF-MODE": ({ local }) => openFiles(known(local)),
  "NODE-VERSION": ({ local }, place) => oldNode(known(local), place),
  "JOURNAL-CHANGED": ({ journal }) => changedJournal(known(journal)),
  "JOURNAL-UNKNOWN": ({ journal }, place) => unsettledWrites(known(journal), place),
};

function reach(problem: string | undefined): Found[] {
  if (problem === undefined) return [];
  return [{ message: problem, advice: "Check the URL, and ask the operator of the service whether it runs." }];
}

function auth(refusal: { message: string; isGateway: boolean } | undefined, place: Place): Found[] {
  if (refusal === undefined) return [];
  const { message, isGateway } = refusal;
  if (isGateway) return [{ message, advice: GATEWAY_ADVICE }];
  return [{ message, remedy: { ...remedy(place, "auth", "login"), isComplete: false } }];
}

const GATEWAY_ADVICE =
  "Send the headers that the gateway demands (--header 'Name: value'), or a client certificate (--cert); auth login stores both.";

function readiness({ isReady, parts }: Readiness): Found[] {
  if (isReady && parts.length === 0) return [];
  const [first = "it does not show which part", ...others] = parts;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return [
    {
      message: `the service is ${isReady ? "degraded" : "not ready"}: ${first}${more}`,
      advice: "Send this to the operator of the service; `relayctl server ready` shows all parts.",
    },
  ];
}

function clocks({ service, here }: Clocks): Found[] {
  const skew = service - here;
  if (Math.abs(skew) <= MOST_SKEW) return [];
  const ahead = skew > 0 ? "the service" : "this machine";
  return [
    {
      message: `the clocks of the service and of this machine differ by ${ageText(Math.abs(skew))}: the clock of ${ahead} is ahead`,
      advice: "Correct the clock that is wrong: ages and --valid-until depend on both.",
    },
  ];
}

function expiry(ends: number | undefined, now: number): Found[] {
  if (ends === undefined || ends - now > CERTIFICATE_DAYS * DAY) return [];
  const message = `the certificate of the service ${endText(ends, now)}`;
  return [{ message, advice: "Ask the operator of the service to renew it." }];
}

function endText(ends: number, now: number): string {
  return ends <= now ? "has expired" : `expires in ${ageText(ends - now)}`;
}

function ownExpiry({ certificate }: LocalFacts, now: number, above: number, days: number): Found[] {
  if (!certificate) return [];
  const left = certificate.ends - now;
  if (left > days * DAY || (above > 0 && left <= above * DAY)) return [];
  const message = `the client certificate, or one of its chain, ${endText(certificate.ends, now)}`;
  return [{ message, advice: "Have a new one issued, and put it into the file of --cert or of the context." }];
}

function chain({ certificate }: LocalFacts): Found[] {
  if (certificate?.missing === undefined) return [];
  const { missing, others } = certificate;
  const rest = others === 0 ? "" : `; the file has ${grouped(others)} more that do not belong to it`;
  return [
    {
      message: `the chain of the client certificate ends at its issuer ${missing}${rest}`,
      advice: "If that is not a root that the service trusts, append its certificate to the file.",
    },
  ];
}

function rate(limited: number): Found[] {
  if (limited === 0) return [];
  const times = limited === 1 ? "1 request" : `${limited} requests`;
  return [
    {
      message: `the service refused ${times} by rate, which other users of the token share`,
      advice: "Ask for fewer relayers at a time, or have RATE_LIMIT_REQUESTS_PER_SECOND raised.",
    },
  ];
}

/** The real service before v1.7 is known by its relayers, which always show these and never the third (facts 4.3). */
function version(relayers: readonly Relayer[]): Found[] {
  const evm = relayers.filter(({ network_type: kind, policies }) => kind === "evm" && isJsonObject(policies));
  const has = (name: string, type: string) =>
    evm.every(({ policies }) => isJsonObject(policies) && getType(policies[name]) === type);
  const isReal = evm.length > 0 && has("min_balance", "number") && has("gas_limit_estimation", "boolean");
  if (!isReal || !has("include_revert_data", "undefined")) return [];
  return [
    {
      message: "the service looks like v1.6 or older, which keeps no reasons of reverts",
      advice: "Ask the operator of the service to update it to v1.8.",
    },
  ];
}

function getType(value: JsonValue | undefined): string {
  return typeof value === "bigint" || typeof value === "object" ? "number" : typeof value;
}
