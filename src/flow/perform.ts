import type { Answer } from "../client/answer.ts";
import type { Client } from "../client/client.ts";
import { type Effect, effectOf } from "../contract/effect.ts";
import type { Ask } from "../client/request.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { askConsent } from "./consent.ts";
import type { Session } from "./session.ts";
import { shownInstead } from "./shown.ts";

/** A write that is ready: everything typed was judged, nothing was sent. */
export interface Write<T extends JsonObject = JsonObject> {
  ask: Ask;
  /** What it does, as a question begins: `replace transaction t1 of eth-main-1`. */
  title: string;
  /** The same when nobody is there: `replacing a transaction`. */
  act: string;
  /** The id to type where typing is needed. */
  id: string;
  resource: ResourceView;
  /** Lines under the title of the question: old beside new. */
  preview?: readonly string[];
  /** Whether a read has shown that all of this is so already; then nothing is sent. */
  alreadySo?: { words: string; seen: Answer<T> } | undefined;
  send(client: Client): Promise<Answer<T>>;
  /** What to tell after it was applied: lines for stderr. */
  receipt(answer: Answer<T>, session: Session): readonly string[];
  /** The command that looks at the thing, for an outcome that is not known. */
  lookAgain(session: Session): string;
}

/** Shows, asks, sends and tells: the way of every write (design 5 and 7). */
export async function perform<T extends JsonObject>(call: Call, write: Write<T>): Promise<View> {
  const shown = await shownInstead(call, write.ask);
  if (shown) return shown;
  const session = await call.session();
  if (write.alreadySo) {
    const { words, seen } = write.alreadySo;
    await call.say(`${words}; nothing was sent`);
    return { kind: "one", resource: write.resource, value: seen.data, body: seen.body };
  }
  await consentTo(call, session, write);
  const answer = await withHint(write.send(session.client), write.lookAgain(session));
  await tell(call, write.receipt(answer, session), answer);
  return { kind: "one", resource: write.resource, value: answer.data, body: answer.body, applied: true };
}

/** What consent is about: a request, and the words for it. */
export type Consented = Pick<Write, "ask" | "title" | "act" | "id" | "preview">;

/** Asks for the consent that the request itself calls for, however it was asked for. */
export async function consentTo(call: Call, session: Session, { ask, title, act, id, preview = [] }: Consented): Promise<void> {
  const effect = effectOf(ask.operation, ask.body);
  const sort = sortOf(effect, session, id);
  if (!sort) return;
  for (const line of [`${title} in ${session.name}`, ...preview, ...effect.words]) await call.say(line);
  await session.pausing(askConsent(call, { question: "Send it?", act, sort }));
}

function sortOf(effect: Effect, session: Session, id: string): "yes" | { type: string } | undefined {
  if (session.protected && effect.writes && !effect.pausesOne) return { type: session.name };
  if (effect.consent === "none") return undefined;
  return effect.consent === "yes" ? "yes" : { type: id };
}

/** Adds the command that looks at the thing to an error that leaves open whether it was changed. */
export async function withHint<T>(sending: Promise<T>, look: string): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.applied === "no") throw error;
    throw error.with({ hint: look });
  }
}

async function tell(call: Call, receipt: readonly string[], answer: Answer): Promise<void> {
  if (answer.lost !== undefined) await call.say(`warning: the answer was lost (${answer.lost}); a look at the service proved that it was applied`);
  for (const line of receipt) await call.say(line);
  if (answer.unconfirmed.length > 0) await call.say(`not confirmed by the answer: ${answer.unconfirmed.join(", ")}`);
}
