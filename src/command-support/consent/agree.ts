import type { ApiRequest } from "../../client/request.ts";
import type { Call } from "../call.ts";
import type { Session } from "../session/session.ts";
import { askQuestion, checkConsent } from "./consent.ts";
import { consentQuestion, effectWords, riskQuestion } from "./write-consent.ts";

/** A request that may need a yes. */
export interface Agreed {
  request: ApiRequest;
  /** What it does, when nobody is there: `calling a plugin`. */
  act: string;
  /** The id to type where typing is needed. */
  id: string;
  /** What it does, as the first line above the question. */
  title: string;
  /** What it does beside what is there now, which must be agreed to as well. */
  risks?: readonly string[];
}

/** Asks for the consent that a request calls for, if any. @throws RelayctlError declined */
export async function agree(
  call: Call,
  session: Session,
  { request, act, id, title, risks = [] }: Agreed,
): Promise<boolean> {
  const question =
    consentQuestion(session, { request, act, id, title }) ?? riskQuestion(session, { act, title }, risks);
  if (!question || checkConsent(call, question) === "given") return false;
  const body = await bodyLines(request);
  await askQuestion(call, question, [`${title} in ${session.name}`, ...body, ...risks, ...effectWords(request)]);
  return true;
}

/** More than this nobody reads before an answer. */
const LONGEST_SHOWN = 2000;

/** The body as a dry run prints it, its secrets left out. */
async function bodyLines({ body }: ApiRequest): Promise<string[]> {
  if (body === undefined) return [];
  const { bodyText } = await import("../request-body/request-text.ts");
  const text = bodyText(body);
  if (text.length <= LONGEST_SHOWN) return [`  ${text}`];
  return [`  ${text.slice(0, LONGEST_SHOWN)}…`, `  ${text.length} characters in all; --dry-run shows them`];
}
