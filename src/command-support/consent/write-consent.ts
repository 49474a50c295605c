import { refuseUnsigned } from "../../client/needs-signature.ts";
import type { ApiRequest } from "../../client/request.ts";
import { type Effect, effectOf } from "../../contract/effect.ts";
import type { Session } from "../../session/session.ts";
import type { ConsentQuestion } from "./consent.ts";

interface Consented {
  request: ApiRequest;
  /** The act for an error without a terminal: `replacing a transaction`. */
  act: string;
  /** The act as the beginning of its question: `replace transaction t1 of eth-main-1`. */
  title: string;
  /** The ID to type, if typing is required. */
  id: string;
  /** Set to prompt even if the request itself needs no consent. */
  confirms?: true;
}

/**
 * Returns the prompt that a request itself requires, regardless of the command; undefined if it needs none.
 * @throws RelayctlError declined if it needs signatures instead
 */
export function consentQuestion(session: Session, consented: Consented): ConsentQuestion | undefined {
  const { request, id, confirms } = consented;
  refuseUnsigned(request, session.approvers);
  const sort = sortFor(effectOf(request.operation, request.body), session, id) ?? (confirms && "yes");
  return sort && { question: questionIn(session, consented.title), act: consented.act, sort };
}

/** Returns the question with the act and its target: `Replace transaction t1 of eth-main-1 in prod?` */
export function questionIn({ name }: Session, title: string): string {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)} in ${name}?`;
}

export function riskQuestion(
  session: Session,
  { act, title }: Pick<Consented, "act" | "title">,
  risks: readonly string[],
): ConsentQuestion | undefined {
  return risks.length === 0 ? undefined : { question: questionIn(session, title), act, sort: "yes", risks };
}

/** Returns the prompt for a request beyond its context's limits, confirmed with its name; undefined if within. */
export function limitQuestion(
  session: Session,
  { act, title }: Pick<Consented, "act" | "title">,
  exceeded: readonly string[],
): ConsentQuestion | undefined {
  if (exceeded.length === 0) return undefined;
  const { name } = session;
  return {
    question: questionIn(session, title),
    act: `${act} beyond the limits of context ${name}`,
    sort: { type: name },
    risks: exceeded,
  };
}

function sortFor(effect: Effect, session: Session, id: string): ConsentQuestion["sort"] | undefined {
  if (session.protected && effect.writes && !effect.pausesOne) return { type: session.name };
  if (effect.consent === "none") return undefined;
  return effect.consent === "yes" ? "yes" : { type: id };
}

export function effectWords({ operation, body }: ApiRequest): readonly string[] {
  return effectOf(operation, body).words;
}
