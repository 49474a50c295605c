import { refuseUnsigned } from "../../client/needs-signature.ts";
import type { ApiRequest } from "../../client/request.ts";
import type { Session } from "../../session/session.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../call.ts";
import { askConsent, type ConsentQuestion } from "../consent/consent.ts";
import { limitQuestion, questionIn } from "../consent/write-consent.ts";
import { writeLines } from "../prepared-write.ts";
import { isShown, showRequests } from "../shown.ts";

export interface SetConsent {
  /** How the question begins: `cancel 3 transactions of eth-main-1`. */
  title: string;
  /** The same if no terminal is attached: `canceling all pending transactions`. */
  act: string;
  /** What confirms them, except in a protected context, which requires its name (default: a yes). */
  sort?: ConsentQuestion["sort"];
  exceeded?: readonly string[];
}

export interface PlannedWrites extends SetConsent {
  requests: readonly ApiRequest[];
  /** Set if they are known without a read. */
  wasUnread?: boolean;
  /** Above the requests of a dry run. */
  preview?: readonly string[];
  /** Above the question. */
  lines: readonly string[];
  /** Printed before sending if no question is asked. */
  unasked?: readonly string[];
  /** Set if nothing has to be sent. */
  isSettled?: boolean;
  /** What several contexts are asked for together, e.g. to `pause` 3 relayers. */
  verb?: string;
  count?: number;
}

export function setQuestion(session: Session, { sort = "yes", exceeded = [], ...set }: SetConsent): ConsentQuestion {
  const needed = session.protected ? { type: session.name } : sort;
  return (
    limitQuestion(session, set, exceeded) ?? {
      question: questionIn(session, set.title),
      act: set.act,
      sort: needed,
    }
  );
}

/**
 * Asks once for a set of writes, or shows their requests in a dry run.
 * @returns what a dry run shows; undefined if they are to be sent
 * @throws RelayctlError declined
 */
export async function agreeToWrites(call: Call, session: Session, planned: PlannedWrites): Promise<View | undefined> {
  const { requests, wasUnread, preview = [], lines, unasked = [], isSettled = false } = planned;
  if (isShown(call)) {
    await writeLines(call, preview);
    return await showRequests(call, requests, !wasUnread);
  }
  for (const request of requests) refuseUnsigned(request, session.approvers);
  const { verb, count = 0 } = planned;
  const { agree } = call.among ?? {};
  const wasAsked =
    agree && verb !== undefined
      ? await agree(session.name, { session, verb, count, isNeeded: !isSettled, lines })
      : !isSettled && (await askConsent(call, setQuestion(session, planned), lines));
  if (!wasAsked) await writeLines(call, unasked);
  return undefined;
}
