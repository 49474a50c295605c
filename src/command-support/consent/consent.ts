import type { Hide } from "../../client/attempt/shown-text.ts";
import { refuseWithoutSignature } from "../../client/needs-signature.ts";
import type { ApiRequest } from "../../client/request.ts";
import { type Effect, effectOf } from "../../contract/effect.ts";
import { cancelError, unconfirmedError, unsentError } from "../../errors.ts";
import { changedMessage, type Message, messageText } from "../../message.ts";
import type { Session } from "../../session/session.ts";
import { printerLabels } from "../../terminal/printer.ts";
import type { Call } from "../call.ts";
import { labelReader, messageWriter } from "../printing.ts";
import { whyNoPrompt } from "../prompting/prompts.ts";

export interface Consented {
  /** As far as known; its consent depends on nothing else. */
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

/** Returns the prompt that a request requires, in any command. @throws RelayctlError declined if it needs signatures */
export function consentQuestion(session: Session, consented: Consented): ConsentQuestion | undefined {
  const { request, id, confirms } = consented;
  refuseWithoutSignature(request, session.approvers);
  const sort = sortFor(effectOf(request.operation, request.body), session, id) ?? (confirms && "yes");
  const included = session.protected && { includedIn: session.name };
  return sort && { question: consentTitle(session, consented.title), act: consented.act, sort, ...included };
}

/** Returns the question with the act and its target: `Replace transaction t1 of eth-main-1 in prod?` */
export function consentTitle({ name }: Session, title: string): string {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)} in ${name}?`;
}

export function riskQuestion(
  session: Session,
  { act, title }: Pick<Consented, "act" | "title">,
  risks: readonly Message[],
): ConsentQuestion | undefined {
  return risks.length === 0 ? undefined : { question: consentTitle(session, title), act, sort: "yes", risks };
}

export function limitConsentQuestion(
  session: Session,
  { act, title }: Pick<Consented, "act" | "title">,
  exceeded: readonly string[],
): ConsentQuestion | undefined {
  if (exceeded.length === 0) return undefined;
  const { name } = session;
  return {
    question: consentTitle(session, title),
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

export function consentEffectWords({ operation, body }: ApiRequest): readonly string[] {
  return effectOf(operation, body).words;
}

interface Agreed extends Omit<Consented, "confirms"> {
  /** Effects in addition to the current state, which need consent too. */
  risks?: readonly Message[];
  exceeded?: readonly string[];
}

export async function agreeToConsent(
  call: Call,
  session: Session,
  { request, act, id, title, risks = [], exceeded = [] }: Agreed,
): Promise<boolean> {
  if (effectOf(request.operation, request.body).writes) await session.requireReason();
  const needed = consentQuestion(session, { request, act, id, title });
  if (needed) checkConsent(call, needed);
  const beyond = limitConsentQuestion(session, { act, title }, exceeded);
  const question = firstOpenQuestion(call, [beyond, needed ?? riskQuestion(session, { act, title }, risks)]);
  if (!question) return false;
  const body = await bodyLines(request, call.app.secrets.redact);
  await askConsentQuestion(call, question, [
    `${title} in ${session.name}`,
    ...body,
    ...risks,
    ...exceeded,
    ...consentEffectWords(request),
  ]);
  return true;
}

/** Returns the first question to ask. @param questions beyond a limit, the usual one counts, too */
export function firstOpenQuestion(
  call: Consenting,
  questions: readonly (ConsentQuestion | undefined)[],
): ConsentQuestion | undefined {
  return questions.find((each) => each && checkConsent(call, each) === "to ask");
}

/** Longer texts are not read before a decision. */
const LONGEST_SHOWN = 2000;

async function bodyLines({ body }: ApiRequest, hide: Hide): Promise<string[]> {
  if (body === undefined) return [];
  const { bodyText } = await import("../request-body/request-text.ts");
  // Masked before it is cut: a part of a secret would no longer be found.
  const text = hide(bodyText(body));
  if (text.length <= LONGEST_SHOWN) return [`  ${text}`];
  return [`  ${text.slice(0, LONGEST_SHOWN)}…`, `  ${text.length} characters in all; --dry-run shows them`];
}

export interface ConsentQuestion {
  /** The act as a question without its choices: `delete context prod?` */
  question: string;
  /** The act for an error without a terminal: `deleting a context`. */
  act?: string;
  /** The reasons for the prompt, if they do not follow from the act itself. */
  risks?: readonly Message[];
  /** A yes, or a word to type: an ID, or the name of a protected context. */
  sort: "yes" | { type: string };
  /** The name of a protected context, which includes a yes. */
  includedIn?: string;
  /** Whether a typed text agrees (default: it equals the word), and the response to another. */
  accepts?: (typed: string) => boolean;
  mismatch?: string;
}

type Consenting = Pick<Call, "app" | "common" | "argv">;

/** Consent is never assumed. @returns whether the user was asked @throws RelayctlError declined */
export async function askConsent(
  call: Consenting,
  question: ConsentQuestion,
  shown: readonly Message[] = [],
): Promise<boolean> {
  if (checkConsent(call, question) === "given") return false;
  await askConsentQuestion(call, question, shown);
  return true;
}

/** Asks the first open question, and shows the lines even if flags have agreed. @throws RelayctlError declined */
export async function askShowing(
  call: Call,
  questions: readonly ConsentQuestion[],
  shown: readonly Message[],
): Promise<void> {
  const open = firstOpenQuestion(call, questions);
  if (open) return await askConsentQuestion(call, open, shown);
  for (const line of shown) await call.say(line);
}

function acceptsWord({ sort, accepts: isAccepted }: Pick<ConsentQuestion, "sort" | "accepts">, typed: string): boolean {
  return sort !== "yes" && (isAccepted?.(typed) ?? typed === sort.type);
}

export async function askConsentQuestion(
  { app, common }: Pick<Call, "app" | "common">,
  asked: ConsentQuestion,
  shown: readonly Message[],
): Promise<void> {
  const { question, sort } = asked;
  const { color } = common;
  const context = sort === "yes" ? undefined : sort.type;
  const say = messageWriter(app, { color }, () => context);
  for (const line of await labelLines(shown, app)) await say(line);
  const prompts = await app.prompts({ color, context });
  if (sort === "yes") {
    if (!(await prompts.confirm(question))) throw cancelError();
    return;
  }
  const typed = await prompts.text(`${question} Type "${sort.type}" to confirm:`, { isConsent: true });
  if (!acceptsWord(asked, typed)) throw unconfirmedError(typed, sort.type);
}

async function labelLines(lines: readonly Message[], app: Pick<Consenting["app"], "config" | "projectFile">) {
  const labelOf = await labelReader(app);
  return labelOf ? lines.map((line) => changedMessage(line, (text) => printerLabels(text, { labelOf }))) : lines;
}

/** Checks consent before anything is read. @throws RelayctlError declined, with the flag that agrees */
export function checkConsent(
  { app, common, argv }: Consenting,
  asked: Omit<ConsentQuestion, "question">,
): "given" | "to ask" {
  const { act = "this", sort, risks = [], mismatch = "--confirm does not match", includedIn } = asked;
  const isTyped = sort !== "yes" && common.confirm !== undefined;
  const saysYes = common.yes === true || (includedIn !== undefined && common.confirm === includedIn);
  if (isTyped ? acceptsWord(asked, common.confirm ?? "") : sort === "yes" && saysYes) return "given";
  const why = isTyped ? mismatch : whyNoPrompt(app, common);
  if (why === undefined) return "to ask";
  const flags = sort === "yes" ? ["--yes"] : ["--confirm", sort.type];
  throw unsentError("declined", `${act} requires confirmation, and ${why}`, {
    because: risks.map(messageText),
    repeat: { argv, added: flags },
  });
}

/** Refuses a bulk write without any consent flag, before anything is read. @throws RelayctlError declined */
export function requireConsentForSet(call: Call, session: Session, act: string): void {
  if (call.common.confirm !== undefined || call.common.yes === true) return;
  checkConsent(call, { act, sort: session.protected ? { type: session.name } : "yes" });
}
