import type { ClientEvent } from "../../client/client-context.ts";

/** What the client is waiting for, in the user's terms. */
export interface Waiting {
  page?: Page | undefined;
  /** Set if the page belongs to an attempt that has not started. */
  isNext?: boolean;
  /** The current step; without it nothing is pending. A first attempt at a page needs no step. */
  step?: string;
  /** A pause before an attempt: its end in milliseconds of `elapsed`, and its reason. */
  pause?: { until: number; why: string };
}

type Page = Extract<ClientEvent, { type: "page" }>;

export function waitingAfter(event: ClientEvent, { page, ...before }: Waiting, now: number): Waiting {
  switch (event.type) {
    case "page":
      return { page: isWorthShowing(event) ? event : undefined, isNext: true };
    case "attempt":
      return { page: before.isNext || event.attempt > 1 ? page : undefined, step: attemptText(event) };
    case "retry": {
      const pause = { until: now + event.wait, why: event.why };
      return { page, step: `attempt ${event.attempt} of ${event.of}`, pause };
    }
    case "reply":
    case "no_reply":
      return { page };
    default:
      return { page, ...before };
  }
}

/** Returns whether a page is worth showing: not the first, while the count is unknown. */
function isWorthShowing({ page, of }: Page): boolean {
  return page > 1 || of !== undefined;
}

function attemptText({ attempt, of, writes }: Extract<ClientEvent, { type: "attempt" }>): string {
  const number = attempt > 1 ? `attempt ${attempt} of ${of}` : "";
  return [writes ? "a write is in progress" : "", number].filter((words) => words !== "").join(", ");
}

/** Returns the progress text at a time, if something is pending: `page 12 of 400, attempt 2 of 3 in 1.2 s: …`. */
export function waitText({ page, step, pause }: Waiting, now: number): string | undefined {
  if (step === undefined) return undefined;
  const words = [page ? pageText(page) : "", step].filter((part) => part !== "").join(", ");
  return pause ? `${words} in ${secondsText(pause.until - now)}: ${pause.why}` : words || "waiting for the service";
}

function pageText({ page, of }: Page): string {
  return of === undefined ? `page ${page}` : `page ${page} of ${of}`;
}

/** Returns seconds, with tenths near the end. */
function secondsText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

const PAGES_OF_AN_ENDLESS_LIST = 100;

/**
 * Returns the part that stays the same while a count changes, for output in lines: the seconds of one pause, and the
 * pages of one tenth of a list.
 */
export function waitSubject({ page, step, pause }: Waiting): string {
  const tenth = page && Math.ceil((page.page * 10) / (page.of ?? PAGES_OF_AN_ENDLESS_LIST));
  return [tenth, step, pause?.why].join("\n");
}
