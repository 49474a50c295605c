import type { Ask } from "../client/request.ts";
import { type Effect, effectOf } from "../contract/effect.ts";
import type { Call } from "./call.ts";
import { type ConsentQuestion, refuseUnasked } from "./consent.ts";
import type { Session } from "./session.ts";
import { isShown } from "./shown.ts";

/** A request as far as its consent is concerned. */
interface Consented {
  ask: Ask;
  /** What it does, when nobody is there: `replacing a transaction`. */
  act: string;
  /** The id to type where typing is needed. */
  id: string;
  /** Asks for a yes where the request itself needs none. */
  confirms?: true;
}

/** The question that a request itself calls for, however it was asked for; nothing when it needs none. */
export function consentQuestion(session: Session, { ask, act, id, confirms }: Consented): ConsentQuestion | undefined {
  const sort = sortOf(effectOf(ask.operation, ask.body), session, id) ?? (confirms && "yes");
  return sort && { question: "Send it?", act, sort };
}

/** The question that follows from what a request does beside what there is; nothing where it does nothing of the kind. */
export function riskQuestion({ act }: Pick<Consented, "act">, risks: readonly string[]): ConsentQuestion | undefined {
  return risks.length === 0 ? undefined : { question: "Send it?", act, sort: "yes", risks };
}

/** Refuses before anything is read for a request what it calls for and nobody can give. A request that is only shown needs none. */
export async function refuseUnaskedWrite(call: Call, consented: Consented): Promise<void> {
  if (isShown(call)) return;
  const question = consentQuestion(await call.session(), consented);
  if (question) refuseUnasked(call, question);
}

function sortOf(effect: Effect, session: Session, id: string): ConsentQuestion["sort"] | undefined {
  if (session.protected && effect.writes && !effect.pausesOne) return { type: session.name };
  if (effect.consent === "none") return undefined;
  return effect.consent === "yes" ? "yes" : { type: id };
}

/** What follows from a request, for whoever is asked and for the receipt. */
export function effectWords({ operation, body }: Ask): readonly string[] {
  return effectOf(operation, body).words;
}
