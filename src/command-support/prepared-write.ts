import type { Client } from "../client/client.ts";
import type { ApiRequest, ApiResult } from "../client/request.ts";
import { respellForRecord } from "../client/respell.ts";
import { effectOf } from "../contract/effect.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { rescue } from "../errors.ts";
import { doubtedMembers } from "../journal/doubted-members.ts";
import { type Message, messageWithPrefix, type ReceiptOutcome } from "../message.ts";
import type { Session } from "../session/session.ts";
import type { FactsView, OneView, ResourceView, View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import {
  askConsentQuestion,
  type Consented,
  checkConsent,
  consentEffectWords,
  consentQuestion,
  consentTitle,
  firstOpenQuestion,
  limitConsentQuestion,
  riskQuestion,
} from "./consent/consent.ts";
import { type DiffFlag, isDryRun, showRequest } from "./shown.ts";

export interface PlannedWrite<T extends JsonObject = JsonObject> extends Consented {
  /** Absent if the write deletes it. */
  resource?: ResourceView;
  /** The request depends on a read, even in a dry run. */
  readsFirst?: boolean;
  prepare(session: Session): Promise<PreparedWrite<T>>;
}

export interface PreparedWrite<T extends JsonObject = JsonObject> {
  /** The request if it differs from the planned one. */
  request?: ApiRequest;
  /** A more exact question title from the read resources. */
  title?: string;
  before?: ApiResult<T> | undefined;
  /** Set if the resource is in the requested state, so that nothing is sent. */
  already?: string | undefined;
  /** Lines under the title, before sending: old next to new. */
  preview?(): readonly Message[] | Promise<readonly Message[]>;
  /** Other effects of the write that need consent even if the request itself does not. */
  risks?: readonly string[];
  /** How the write goes beyond the limits of its context, which needs consent too. */
  exceeded?: readonly string[];
  warnings?: readonly Message[];
  /** What follows, for the question, if the current state says more than the request. */
  effects?: readonly string[] | undefined;
  send(client: Client): Promise<ApiResult<T>>;
  receipt(after: T): Receipt | Promise<Receipt>;
  /** Reads the applied write's effects, for lines after the result. */
  outlook?: ((after: T) => Promise<readonly Message[]>) | undefined;
  /** The view of the resource after the write, if it depends on the result. Sends no request. */
  drawn?: ((after: T) => Promise<ResourceView<T>>) | undefined;
  readAgain: string;
}

/** `--diff` shows changes before sending (promises 5 and 7). */
export async function runWrite<T extends JsonObject>(call: Call<DiffFlag>, planned: PlannedWrite<T>): Promise<View> {
  if (isDryRun(call)) return await showPlanned(call, planned);
  const session = await call.session();
  const needed = consentQuestion(session, planned);
  if (needed) checkConsent(call, needed);
  const prepared = { request: planned.request, ...(await planned.prepare(session)) };
  const { before, risks = [], exceeded = [], title = planned.title } = prepared;
  const already = await unlessDoubted(call, session, prepared);
  if (before && already) {
    await call.say(`${already}; nothing was sent`);
    return { ...(await resultView(planned, prepared, before)), isChange: true };
  }
  const titled = { ...planned, title };
  const beyond = limitConsentQuestion(session, titled, exceeded);
  const usual = needed && { ...needed, question: consentTitle(session, title) };
  const question = firstOpenQuestion(call, [beyond, usual ?? riskQuestion(session, titled, risks)]);
  const wasPrompted = question !== undefined;
  const lines = await questionLines(planned, prepared, session);
  if (question) await askConsentQuestion(call, question, lines);
  else await writeUnasked(call, lines, prepared);
  const result = await writeWithHint(prepared.send(session.client), prepared.readAgain);
  const { next, ...applied } = await prepared.receipt(result.data);
  const wasShown = wasPrompted || call.flags.diff === true;
  const shown = { wasShown, isTerminal: call.app.stderr.isTerminal };
  const receipt = [...writeNotes(result), ...receiptLines(prepared.request, [...risks, ...exceeded], applied, shown)];
  const { outlook } = prepared;
  return {
    ...(await resultView(planned, prepared, result)),
    isChange: true,
    receipt,
    ...(next !== undefined && { next: [next] }),
    ...(outlook && { outlook: () => outlook(result.data) }),
  };
}

/** Returns `already`, unless an earlier change may still arrive or not show yet: then a note says so. */
async function unlessDoubted(
  call: Call,
  session: Session,
  { already, request: { operation, parameters = {}, body } }: Pick<PreparedWrite, "already"> & { request: ApiRequest },
): Promise<string | undefined> {
  const journal = already === undefined || !isJsonObject(body) ? undefined : await session.journal();
  if (!journal || !isJsonObject(body)) return already;
  const [id = ""] = Object.values(parameters);
  const doubted = await doubtedMembers(journal, session.origin, call.app.clock.now());
  const [path] = doubted(operation.id.split(".")[0] ?? "", id, body);
  if (path === undefined) return already;
  await call.say({ note: `an earlier change of ${path} may still arrive or not show yet, so it is sent again` });
  return undefined;
}

async function writeUnasked(
  call: Call<DiffFlag>,
  lines: readonly Message[],
  { warnings = [] }: Pick<PreparedWrite, "warnings">,
) {
  await writeLines(call, call.flags.diff ? lines : warnings);
}

async function resultView<T extends JsonObject>(
  { id, resource: usual }: PlannedWrite<T>,
  { drawn }: PreparedWrite<T>,
  { data: value, body }: ApiResult<T>,
): Promise<OneView | FactsView> {
  const resource = ((await drawn?.(value)) as ResourceView | undefined) ?? usual;
  if (resource) return { kind: "one", resource, value, body };
  return { kind: "facts", lines: [{ label: "deleted", value: { text: id } }], value, body };
}

async function showPlanned<T extends JsonObject>(call: Call<DiffFlag>, planned: PlannedWrite<T>): Promise<View> {
  const { confirms, readsFirst, request } = planned;
  if (!call.flags.diff && !confirms && !readsFirst) return await showRequest(call, request);
  const session = await call.session();
  const prepared = { request, ...(await planned.prepare(session)) };
  const { before } = prepared;
  const already = await unlessDoubted(call, session, prepared);
  const lines = already ? [`${already}; nothing would be sent`] : await questionLines(planned, prepared, session);
  await writeLines(call, lines);
  return await showRequest(call, respellForRecord(prepared.request, before?.data), true);
}

async function questionLines<T extends JsonObject>(
  planned: PlannedWrite<T>,
  {
    request,
    title = planned.title,
    preview = () => [],
    risks = [],
    exceeded = [],
    warnings = [],
    effects = consentEffectWords(request),
  }: PreparedWrite<T> & Pick<PlannedWrite, "request">,
  { name }: Session,
): Promise<Message[]> {
  return [`${title} in ${name}`, ...(await preview()), ...warnings, ...risks, ...exceeded, ...effects];
}

export async function writeLines(call: Call, lines: readonly Message[]): Promise<void> {
  for (const line of lines) await call.say(line);
}

export interface Receipt {
  applied: ReceiptOutcome;
  /** A further effect, always printed. */
  warning?: { warning: string };
  /** Not printed if it was just shown before sending. */
  details?: readonly Message[];
  /** The effects of the write, always printed, instead of those expected before sending. */
  effects?: readonly Message[];
  /** The command that undoes or follows the write, or why there is none: the last line. */
  next?: Message;
}

/** @param wasShown whether the changes and their effects were shown before sending */
function receiptLines(
  request: ApiRequest,
  risks: readonly string[],
  receipt: Omit<Receipt, "next">,
  { wasShown, isTerminal }: { wasShown: boolean; isTerminal: boolean },
): Message[] {
  const { applied, warning, details = [], effects } = receipt;
  const { consent, words } = effectOf(request.operation, request.body);
  const expected = wasShown || (isTerminal && consent === "none") ? [] : words;
  const more = [...(wasShown ? [] : [...details, ...risks]), ...(effects ?? expected)];
  return [applied, ...(warning === undefined ? [] : [warning]), ...more];
}

/** Returns the proof of an applied write if its response was lost, and its unconfirmed fields, each after a prefix. */
export function writeNotes({ lost, unconfirmed }: Omit<ApiResult, "data" | "body">, prefix = ""): Message[] {
  const warning = { warning: `${lost}; reading it back from the service proved that it was applied` };
  const notes = [...(lost === undefined ? [] : [warning]), ...unconfirmedNotes(unconfirmed)];
  return notes.map((line) => messageWithPrefix(prefix, line));
}

function unconfirmedNotes(fields: readonly string[]): { note: string }[] {
  const others = fields.filter((field) => field !== "signing_key");
  const open = { note: `not confirmed by the response: ${others.join(", ")}` };
  return [...(others.length < fields.length ? [KEY_UNCONFIRMED] : []), ...(others.length === 0 ? [] : [open])];
}

const KEY_UNCONFIRMED = { note: "the service never returns signing keys, so the new key could not be verified" };

/** Adds the command that reads the resource to an error that leaves open whether it was changed. */
export async function writeWithHint<T>(sending: Promise<T>, readAgain: string | (() => string)): Promise<T> {
  return await rescue(sending, (error) => {
    if (error.applied === "no") throw error;
    throw error.with({ hint: typeof readAgain === "string" ? readAgain : readAgain() });
  });
}
