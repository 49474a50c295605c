import type { ApiRequest } from "../../client/request.ts";
import { type Effect, effectOf } from "../../contract/effect.ts";
import type { Session } from "../session/session.ts";
import type { ConsentQuestion } from "./consent.ts";

/** A request as far as its consent is concerned. */
interface Consented {
  request: ApiRequest;
  /** What it does, when nobody is there: `replacing a transaction`. */
  act: string;
  /** What it does, as its question begins: `replace transaction t1 of eth-main-1`. */
  title: string;
  /** The id to type where typing is needed. */
  id: string;
  /** Asks for a yes where the request itself needs none. */
  confirms?: true;
}

/** The question that a request itself calls for, however it was asked for; nothing when it needs none. */
export function consentQuestion(session: Session, consented: Consented): ConsentQuestion | undefined {
  const { request, id, confirms } = consented;
  const sort = sortFor(effectOf(request.operation, request.body), session, id) ?? (confirms && "yes");
  return sort && { question: questionIn(session, consented.title), act: consented.act, sort };
}

/** Names the act and where it is done: `Replace transaction t1 of eth-main-1 in prod?` */
export function questionIn({ name }: Session, title: string): string {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)} in ${name}?`;
}

/** The question that follows from what a request does beside what there is; nothing where it does nothing of the kind. */
export function riskQuestion(
  session: Session,
  { act, title }: Pick<Consented, "act" | "title">,
  risks: readonly string[],
): ConsentQuestion | undefined {
  return risks.length === 0 ? undefined : { question: questionIn(session, title), act, sort: "yes", risks };
}

function sortFor(effect: Effect, session: Session, id: string): ConsentQuestion["sort"] | undefined {
  if (session.protected && effect.writes && !effect.pausesOne) return { type: session.name };
  if (effect.consent === "none") return undefined;
  return effect.consent === "yes" ? "yes" : { type: id };
}

/** What follows from a request, for whoever is asked and for the receipt. */
export function effectWords({ operation, body }: ApiRequest): readonly string[] {
  return effectOf(operation, body).words;
}
