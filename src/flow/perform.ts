import type { Answer } from "../client/answer.ts";
import type { Client } from "../client/client.ts";
import type { Ask } from "../client/request.ts";
import { type Effect, effectOf } from "../contract/effect.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { askConsent, type ConsentQuestion, refuseUnasked } from "./consent.ts";
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
  /** Asks for a yes where the request itself needs none: what was put together at prompts is reviewed before it is sent. */
  confirms?: true;
  /** Reads the thing as it is before; nothing where it is not wanted or the service cannot be asked. */
  before?(client: Client): Promise<Answer<T> | undefined>;
  /** Lines under the title of the question: old beside new. */
  preview?(before: T | undefined): readonly string[];
  /** Says that all of this is so already, when it is; then nothing is sent. */
  alreadySo?(before: T): string | undefined;
  send(client: Client, before: T | undefined): Promise<Answer<T>>;
  /** What to tell after it was applied: lines for stderr. */
  receipt(after: T, before: T | undefined, session: Session): readonly string[];
  /** The command that looks at the thing, for an outcome that is not known. */
  lookAgain(session: Session): string;
}

/** Shows, asks, sends and tells: the way of every write (design 5 and 7). */
export async function perform<T extends JsonObject>(call: Call, write: Write<T>): Promise<View> {
  const shown = await shownInstead(call, write.ask);
  if (shown) return shown;
  const session = await call.session();
  const question = consentQuestion(session, write);
  if (question) refuseUnasked(call, question);
  const before = await write.before?.(session.client);
  const already = before && write.alreadySo?.(before.data);
  if (already) {
    await call.say(`${already}; nothing was sent`);
    return { kind: "one", resource: write.resource, value: before.data, body: before.body };
  }
  const lines = [`${write.title} in ${session.name}`, ...(write.preview?.(before?.data) ?? [])];
  if (question) await askPerson(call, session, question, lines);
  const answer = await withHint(write.send(session.client, before?.data), write.lookAgain(session));
  const receipt = receiptOf(answer, write.receipt(answer.data, before?.data, session));
  return { kind: "one", resource: write.resource, value: answer.data, body: answer.body, receipt };
}

type Question = ConsentQuestion & { effect: Effect };

/** The question that a request itself calls for, however it was asked for; nothing when it needs none. */
export function consentQuestion(
  session: Session,
  { ask, act, id, confirms }: Pick<Write, "ask" | "act" | "id" | "confirms">,
): Question | undefined {
  const effect = effectOf(ask.operation, ask.body);
  const sort = sortOf(effect, session, id) ?? (confirms && "yes");
  return sort && { question: "Send it?", act, sort, effect };
}

function sortOf(effect: Effect, session: Session, id: string): ConsentQuestion["sort"] | undefined {
  if (session.protected && effect.writes && !effect.pausesOne) return { type: session.name };
  if (effect.consent === "none") return undefined;
  return effect.consent === "yes" ? "yes" : { type: id };
}

/** Shows what will happen and asks. A person may think as long as they like. */
export async function askPerson(
  call: Call,
  session: Session,
  question: Question,
  lines: readonly string[],
): Promise<void> {
  await session.pausing(askConsent(call, question, [...lines, ...question.effect.words]));
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

/** What to tell of a write that was applied: how that is known when its answer was lost, and what nothing confirms. */
export function receiptOf({ lost, unconfirmed }: Omit<Answer, "data" | "body">, lines: readonly string[]): string[] {
  const warning = `warning: the answer was lost (${lost}); a look at the service proved that it was applied`;
  const open = `not confirmed by the answer: ${unconfirmed.join(", ")}`;
  return [...(lost === undefined ? [] : [warning]), ...(unconfirmed.length === 0 ? [] : [open]), ...lines];
}
