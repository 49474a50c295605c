import type { ApiRequest, ApiResult } from "../client/request.ts";
import { effectOf } from "../contract/effect.ts";
import { recover } from "../errors.ts";
import type { Message, ReceiptOutcome } from "../message.ts";

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
export function receiptLines(
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

/** Returns an applied write's receipt: the proof if its response was lost, and unconfirmed fields. */
export function receiptOf(
  { lost, unconfirmed }: Omit<ApiResult, "data" | "body">,
  lines: readonly Message[],
): Message[] {
  const warning = { warning: `${lost}; reading it back from the service proved that it was applied` };
  return [...(lost === undefined ? [] : [warning]), ...unconfirmedNotes(unconfirmed), ...lines];
}

function unconfirmedNotes(fields: readonly string[]): { note: string }[] {
  const others = fields.filter((field) => field !== "signing_key");
  const open = { note: `not confirmed by the response: ${others.join(", ")}` };
  return [...(others.length < fields.length ? [KEY_UNCONFIRMED] : []), ...(others.length === 0 ? [] : [open])];
}

const KEY_UNCONFIRMED = { note: "the service never returns signing keys, so the new key could not be verified" };

/** Adds the command that reads the resource to an error that leaves open whether it was changed. */
export async function withHint<T>(sending: Promise<T>, readAgain: string | (() => string)): Promise<T> {
  return await recover(sending, (error) => {
    if (error.applied === "no") throw error;
    throw error.with({ hint: typeof readAgain === "string" ? readAgain : readAgain() });
  });
}
