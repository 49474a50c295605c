import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import { spelledFor } from "../client/respell.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { askConsent, refuseUnasked } from "./consent/consent.ts";
import { consentQuestion, effectWords, riskQuestion } from "./consent/write-consent.ts";
import type { Session } from "./session/session.ts";
import { type DiffFlag, isShown, showRequest } from "./shown.ts";

/** A write that is ready: everything typed was judged, nothing was sent. */
export interface Write<T extends JsonObject = JsonObject> {
  request: ApiRequest;
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
  before?(client: Client): Promise<ApiResult<T> | undefined>;
  /** Lines under the title, before it is sent: old beside new. */
  preview?(before: T | undefined): readonly string[] | Promise<readonly string[]>;
  /** What follows, for the question, where the thing as it is before says more than the request alone. */
  effects?(before: T | undefined, session: Session): readonly string[] | undefined;
  /** What it does beside what is there now, and must be agreed to even where the request itself needs no yes. */
  risks?(before: T | undefined): readonly string[];
  /** Says that all of this is so already, when it is; then nothing is sent. */
  alreadySo?(before: T): string | undefined;
  send(client: Client, before: T | undefined): Promise<ApiResult<T>>;
  /** What to tell after it was applied. */
  receipt(after: T, before: T | undefined, session: Session): Receipt | Promise<Receipt>;
  /** How the thing is shown afterwards, where that depends on it. Nothing is asked of the service for it. */
  drawn?(after: T): Promise<ResourceView<T>>;
  /** The command that looks at the thing, for an outcome that is not known. */
  readAgain(session: Session): string;
}

/** What was applied, for stderr. */
export interface Receipt {
  /** In one line, with the context's name. */
  applied: string;
  /** What the service did beside it, always told. */
  warning?: string;
  /** What that line does not hold; left out where the same was just told before sending. */
  details?: readonly string[];
  /** What follows, always told, in place of what was to be expected before it was sent. */
  effects?: readonly string[];
  /** The command that undoes it or follows it, or why there is none: the last line of all. */
  next?: string;
}

/**
 * Shows, asks, sends, and reports: the steps of every write (promises 5 and 7). With `--diff` the changes are shown
 * before the request is sent, even if nothing is asked.
 */
export async function perform<T extends JsonObject>(call: Call<DiffFlag>, write: Write<T>): Promise<View> {
  if (isShown(call)) return await showWrite(call, write);
  const session = await call.session();
  const question = consentQuestion(session, write);
  if (question) refuseUnasked(call, question);
  const before = await write.before?.(session.client);
  const already = before && write.alreadySo?.(before.data);
  if (already) {
    await call.say(`${already}; nothing was sent`);
    return { kind: "one", resource: await resourceOf(write, before.data), value: before.data, body: before.body };
  }
  const risks = write.risks?.(before?.data) ?? [];
  const risky = question ?? riskQuestion(session, write, risks);
  if (risky && !question) refuseUnasked(call, risky);
  const lines = await previewLines(write, before?.data, session);
  const wasAsked = risky !== undefined && (await askConsent(call, risky, lines));
  if (call.flags.diff && !wasAsked) await sayAll(call, lines);
  const result = await withHint(write.send(session.client, before?.data), write.readAgain(session));
  const { next, ...applied } = await write.receipt(result.data, before?.data, session);
  const receipt = receiptOf(result, receiptLines(write.request, risks, applied, wasAsked || call.flags.diff));
  const ending = { receipt, ...(next !== undefined && { next: [next] }) };
  const resource = await resourceOf(write, result.data);
  return { kind: "one", resource, value: result.data, body: result.body, ...ending };
}

async function resourceOf<T extends JsonObject>({ drawn, resource }: Write<T>, value: T): Promise<ResourceView> {
  return ((await drawn?.(value)) as ResourceView | undefined) ?? resource;
}

/**
 * @param risks what was agreed to beside the request itself
 * @param wasShown whether what changes and what follows was shown before it was sent
 */
function receiptLines(
  request: ApiRequest,
  risks: readonly string[],
  receipt: Omit<Receipt, "next">,
  wasShown = false,
): string[] {
  const { applied, warning, details = [], effects } = receipt;
  const expected = wasShown ? [] : effectWords(request);
  const more = [...(wasShown ? [] : [...details, ...risks]), ...(effects ?? expected)];
  return [applied, ...(warning === undefined ? [] : [warning]), ...more];
}

/** Shows the request instead of sending it; with `--diff`, and where it was put together by a person, also what it would change. */
async function showWrite<T extends JsonObject>(call: Call<DiffFlag>, write: Write<T>): Promise<View> {
  if (!call.flags.diff && !write.confirms) return await showRequest(call, write.request);
  const session = await call.session();
  const before = await write.before?.(session.client);
  const already = before && write.alreadySo?.(before.data);
  const lines = already ? [`${already}; nothing would be sent`] : await previewLines(write, before?.data, session);
  await sayAll(call, lines);
  return await showRequest(call, spelledFor(write.request, before?.data), true);
}

async function previewLines<T extends JsonObject>(
  write: Write<T>,
  before: T | undefined,
  session: Session,
): Promise<string[]> {
  const changes = (await write.preview?.(before)) ?? [];
  const effects = write.effects?.(before, session) ?? effectWords(write.request);
  return [`${write.title} in ${session.name}`, ...changes, ...(write.risks?.(before) ?? []), ...effects];
}

/** Tells a person lines, one after the other. */
export async function sayAll(call: Call, lines: readonly string[]): Promise<void> {
  for (const line of lines) await call.say(line);
}

/** Adds the command that looks at the thing to an error that leaves open whether it was changed. */
export async function withHint<T>(sending: Promise<T>, look: string | (() => string)): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.applied === "no") throw error;
    throw error.with({ hint: typeof look === "string" ? look : look() });
  }
}

/** What to tell of a write that was applied: how that is known when its answer was lost, and what nothing confirms. */
export function receiptOf({ lost, unconfirmed }: Omit<ApiResult, "data" | "body">, lines: readonly string[]): string[] {
  const warning = `warning: ${lost}; reading it back from the service proved that it was applied`;
  return [...(lost === undefined ? [] : [warning]), ...unconfirmedNotes(unconfirmed), ...lines];
}

function unconfirmedNotes(fields: readonly string[]): string[] {
  const others = fields.filter((field) => field !== "signing_key");
  const open = `note: not confirmed by the response: ${others.join(", ")}`;
  return [...(others.length < fields.length ? [KEY_UNCONFIRMED] : []), ...(others.length === 0 ? [] : [open])];
}

const KEY_UNCONFIRMED = "note: the service never returns signing keys, so the new key could not be verified";
