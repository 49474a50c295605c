import type { ClientEvent } from "../../client/client-context.ts";

/** What the client is at, as far as a person wants to know. */
export interface Waiting {
  page?: Page | undefined;
  /** Whether the page was named for an attempt that is still to come. */
  isNext?: boolean;
  /** What is done just now; nothing is waited for without it. A first attempt to read needs no words beside a page. */
  step?: string;
  /** A pause before an attempt: when it ends, in milliseconds of `elapsed`, and why it is made. */
  pause?: { until: number; why: string };
}

type Page = Extract<ClientEvent, { type: "page" }>;

/** What an event leaves to wait for. */
export function waitingAfter(event: ClientEvent, { page, ...before }: Waiting, now: number): Waiting {
  switch (event.type) {
    case "page":
      return { page: isTelling(event) ? event : undefined, isNext: true };
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

/** A first page says nothing, as long as nobody knows how many there are. */
function isTelling({ page, of }: Page): boolean {
  return page > 1 || of !== undefined;
}

function attemptText({ attempt, of, writes }: Extract<ClientEvent, { type: "attempt" }>): string {
  const number = attempt > 1 ? `attempt ${attempt} of ${of}` : "";
  return [writes ? "a write is in progress" : "", number].filter((words) => words !== "").join(", ");
}

/** The line for it at a moment, while there is something to wait for: `page 12 of 400, attempt 2 of 3 in 1.2 s: …`. */
export function waitText({ page, step, pause }: Waiting, now: number): string | undefined {
  if (step === undefined) return undefined;
  const words = [page ? pageText(page) : "", step].filter((part) => part !== "").join(", ");
  return pause ? `${words} in ${secondsText(pause.until - now)}: ${pause.why}` : words || "waiting for the service";
}

function pageText({ page, of }: Page): string {
  return of === undefined ? `page ${page}` : `page ${page} of ${of}`;
}

/** Tenths of a second when it will soon be over. */
function secondsText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
}

const PAGES_OF_AN_ENDLESS_LIST = 100;

/**
 * What stays the same while only a count goes on, for whoever is told in lines: the seconds of one pause, and the pages
 * of one tenth of a walk.
 */
export function thingOf({ page, step, pause }: Waiting): string {
  const tenth = page && Math.ceil((page.page * 10) / (page.of ?? PAGES_OF_AN_ENDLESS_LIST));
  return [tenth, step, pause?.why].join("\n");
}
