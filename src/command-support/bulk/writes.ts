import { createSharedEnds } from "../../client/attempt/shared-ends.ts";
import { createThrottle } from "../../client/attempt/throttle.ts";
import { type BulkVerb, bulkFailure, type Completed, type Job, type Run, runAll } from "../../client/bulk/run-all.ts";
import type { Client } from "../../client/client.ts";
import { refuseWithoutSignature } from "../../client/needs-signature.ts";
import type { ApiRequest, ApiResult } from "../../client/request.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Message } from "../../message.ts";
import type { Session } from "../../session/session.ts";
import { type Ending, listFrom, type Page, type ResourceView, type View } from "../../terminal/view.ts";
import type { Call } from "../call.ts";
import {
  askConsentQuestion,
  type ConsentQuestion,
  consentTitle,
  firstOpenQuestion,
  limitConsentQuestion,
} from "../consent/consent.ts";
import { writeLines } from "../prepared-write.ts";
import { isDryRun, showRequests } from "../shown.ts";

export interface SetConsent {
  /** How the question begins: `cancel 3 transactions of eth-main-1`. */
  title: string;
  /** The same if no terminal is attached: `canceling all pending transactions`. */
  act: string;
  /** How to confirm them, except in a protected context, which requires its name (default: a yes). */
  sort?: ConsentQuestion["sort"];
  exceeded?: readonly string[];
}

interface PlannedWrites extends SetConsent {
  requests: readonly ApiRequest[];
  /** Set if they are known without a read. */
  wasUnread?: boolean;
  /** Above the requests of a dry run. */
  preview?: readonly Message[];
  /** Above the question. */
  lines: readonly Message[];
  /** Printed before sending if no question is asked. */
  unasked?: readonly Message[];
  /** Set if nothing has to be sent. */
  isSettled?: boolean;
  /** For a question about several contexts, e.g. to `pause` 3 relayers. */
  asked?: { verb: string; count: number };
}

/** Returns the question that is still to be asked. @throws RelayctlError declined */
export function firstSetQuestion(
  call: Call,
  session: Session,
  { title, act, sort = "yes", exceeded = [] }: SetConsent,
): ConsentQuestion | undefined {
  const question = consentTitle(session, title);
  return firstOpenQuestion(call, [
    limitConsentQuestion(session, { title, act }, exceeded),
    { question, act, sort: session.protected ? { type: session.name } : sort },
  ]);
}

/** @returns the requests in a dry run; undefined to send @throws RelayctlError declined */
export async function agreeToWrites(call: Call, session: Session, planned: PlannedWrites): Promise<View | undefined> {
  const { requests, wasUnread, preview = [], lines, unasked = [], isSettled = false } = planned;
  if (isDryRun(call)) return await showRequests(call, requests, !wasUnread, { summary: preview });
  for (const request of requests) refuseWithoutSignature(request, session.approvers, requests.length > 1);
  const { asked } = planned;
  const { agree } = call.among ?? {};
  const isAsked = agree !== undefined && asked !== undefined;
  const question = isSettled || isAsked ? undefined : firstSetQuestion(call, session, planned);
  if (question) await askConsentQuestion(call, question, lines);
  const wasAsked = isAsked
    ? await agree(session.name, { session, ...asked, isNeeded: !isSettled, lines })
    : question !== undefined;
  if (!wasAsked) await writeLines(call, unasked);
  return undefined;
}

export interface WriteThrottle {
  concurrency: number;
  /** The minimum milliseconds between two requests, including retries and reads after a write. */
  interval: number;
}

interface Sending extends WriteThrottle {
  /** For the progress, e.g. `pausing`. */
  doing: string;
}

/** Sends many writes, several at a time. All of them end if the service asks to wait longer than the remaining time. */
export function runWrites<T>(
  { app: { clock, interrupt }, count }: Pick<Call, "app" | "count">,
  session: Session,
  { concurrency, interval, doing }: Sending,
  jobsOver: (client: Client) => readonly Job<T>[],
): Run<T> {
  const client = session.inBulk({ throttle: createThrottle(clock, interval), ends: createSharedEnds(clock) });
  const endsAll = ({ failure }: { failure: string }) => failure === "rate_limited";
  const jobs = jobsOver(client);
  const of = jobs.filter(({ already }) => !already).length;
  const counts = { doing, of, done: 0, failed: 0, since: clock.elapsed() };
  const ended = ({ error, already }: Completed<unknown>) => {
    if (error) counts.failed++;
    else if (!already) counts.done++;
  };
  if (of > 1) count(counts);
  const beforeBatch = () => clock.sleep(0);
  const run = runAll(jobs, { concurrency, interrupt, endsAll, ended, beforeBatch });
  const done = run.done.finally(async () => {
    count(undefined);
    await session.recorded();
  });
  // The caller may read only the results, which end with the same error.
  done.catch(() => {});
  return { ...run, done };
}

export interface Shortfall {
  /** For the note before the writes, and below another failure. */
  words: string;
  failure(call: Pick<Call, "argv">, completed: readonly Completed<unknown>[]): RelayctlError;
}

/** @template T the result of one write; a page's raw form is its first response */
interface WriteSet<T extends Pick<ApiResult, "body"> | undefined> extends PlannedWrites {
  throttle: WriteThrottle;
  progress: BulkVerb;
  resource: ResourceView;
  nothing?: string | undefined;
  jobsOver(client: Client): readonly Job<T>[];
  itemOf(completed: Completed<T>): JsonObject | undefined;
  /** Returns the applied changes, and the commands that undo or follow them. */
  receipt(completed: readonly Completed<T>[]): Omit<Ending, "failure"> | Promise<Omit<Ending, "failure">>;
  /** @param failed the jobs' failures together */
  failure?(failed: RelayctlError | undefined, completed: readonly Completed<T>[]): RelayctlError | undefined;
}

export function bulkWriteItem({ value }: Completed<ApiResult>): JsonObject | undefined {
  return value?.data as JsonObject | undefined;
}

/** Shows many writes, asks once, sends them, and reports each. @throws RelayctlError declined */
export async function performBulkWrites<T extends Pick<ApiResult, "body"> | undefined>(
  call: Call,
  session: Session,
  set: WriteSet<T>,
): Promise<{ view: View; done?: Run<T>["done"] }> {
  const dryRun = await agreeToWrites(call, session, set);
  if (dryRun) return { view: dryRun };
  const { throttle, progress, resource, nothing, jobsOver, receipt, failure } = set;
  const run = runWrites(call, session, { ...throttle, ...progress }, jobsOver);
  const view = listFrom(session, resource, pagesFrom(run, set), {
    chosen: true,
    // If none succeeded, the failure says so.
    ...(run.size > 0 ? { nothing: null, isChange: true } : nothing !== undefined && { nothing }),
    async ending() {
      const completed = await run.done;
      const failed = bulkFailure(completed, resource.many, call.app.interrupt, progress);
      const ending = await receipt(completed);
      return { ...ending, failure: failure ? failure(failed, completed) : failed };
    },
  });
  return { view, done: run.done };
}

async function* pagesFrom<T extends Pick<ApiResult, "body"> | undefined>(
  { batches }: Run<T>,
  { itemOf }: Pick<WriteSet<T>, "itemOf">,
): AsyncGenerator<Page> {
  for await (const batch of batches) {
    const items = batch.map(itemOf).filter((item) => item !== undefined);
    const body = batch.find(({ value }) => value)?.value?.body ?? new Uint8Array();
    if (items.length > 0) yield { items, total: undefined, body };
  }
}
