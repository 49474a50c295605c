import type { ApiRequest } from "../../client/request.ts";
import { effectOf } from "../../contract/effect.ts";
import type { Session } from "../../session/session.ts";
import type { Call } from "../call.ts";
import { askQuestion, checkConsent } from "./consent.ts";
import { consentQuestion, effectWords, limitQuestion, riskQuestion } from "./write-consent.ts";

export interface Agreed {
  request: ApiRequest;
  /** The act for an error without a terminal: `calling a plugin`. */
  act: string;
  /** The ID to type, if typing is required. */
  id: string;
  /** The act as the first line above the prompt. */
  title: string;
  /** Effects in addition to the current state, which need consent too. */
  risks?: readonly string[];
  exceeded?: readonly string[];
}

export async function agree(
  call: Call,
  session: Session,
  { request, act, id, title, risks = [], exceeded = [] }: Agreed,
): Promise<boolean> {
  if (effectOf(request.operation, request.body).writes) await session.requireReason();
  const question =
    limitQuestion(session, { act, title }, exceeded) ??
    consentQuestion(session, { request, act, id, title }) ??
    riskQuestion(session, { act, title }, risks);
  if (!question || checkConsent(call, question) === "given") return false;
  const body = await bodyLines(request);
  await askQuestion(call, question, [
    `${title} in ${session.name}`,
    ...body,
    ...risks,
    ...exceeded,
    ...effectWords(request),
  ]);
  return true;
}

/** Longer texts are not read before a decision. */
const LONGEST_SHOWN = 2000;

async function bodyLines({ body }: ApiRequest): Promise<string[]> {
  if (body === undefined) return [];
  const { bodyText } = await import("../request-body/request-text.ts");
  const text = bodyText(body);
  if (text.length <= LONGEST_SHOWN) return [`  ${text}`];
  return [`  ${text.slice(0, LONGEST_SHOWN)}…`, `  ${text.length} characters in all; --dry-run shows them`];
}
