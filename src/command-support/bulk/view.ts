import type { ApiResult } from "../../client/api-result.ts";
import { failureOfMany } from "../../client/bulk/failure.ts";
import type { Completed, Job, Run } from "../../client/bulk/run-all.ts";
import type { BulkVerb } from "../../client/bulk/verbs.ts";
import type { Client } from "../../client/client.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { RelayctlError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { Ending, ListView, Page, ResourceView } from "../../terminal/view.ts";
import type { Call } from "../call.ts";
import { runWrites, type WriteThrottle } from "./writes.ts";

/** Why a set of writes does not reach all of the resources that it is about. */
export interface Shortfall {
  /** The note before the writes, and below another failure. */
  words: string;
  /** Returns the failure if all writes succeed. */
  failure(call: Call, completed: readonly Completed<unknown>[]): RelayctlError;
}

/** Writes that were agreed to, and how they are reported. */
interface AgreedWrites<T extends ApiResult> {
  throttle: WriteThrottle;
  verb: BulkVerb;
  resource: ResourceView;
  shortfall?: Shortfall | undefined;
  jobsOver(client: Client): readonly Job<T>[];
  /** Returns the applied changes, and the commands that undo or follow them. */
  receipt(completed: readonly Completed<T>[]): Omit<Ending, "failure"> | Promise<Omit<Ending, "failure">>;
}

/** Sends writes, several at a time. The view has each resource after its write, the receipt, and the failures. */
export function sendWrites<T extends ApiResult>(
  call: Call,
  session: Session,
  { throttle, verb, resource, shortfall, jobsOver, receipt }: AgreedWrites<T>,
): { view: ListView; done: Run<T>["done"] } {
  const run = runWrites(call, session, { ...throttle, ...verb }, jobsOver);
  const view: ListView = {
    kind: "list",
    resource,
    pages: buildPages(run),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    chosen: true,
    // If none succeeded, the failure says so.
    ...(run.size > 0 && { nothing: null, isChange: true }),
    async ending() {
      const completed = await run.done;
      const failed = failureOfMany(completed, resource.many, call.app.interrupt, verb);
      const ending = await receipt(completed);
      const failure = shortfall
        ? (failed?.with({ because: [shortfall.words] }) ?? shortfall.failure(call, completed))
        : failed;
      return { ...ending, ...(failure && { failure }) };
    },
  };
  return { view, done: run.done };
}

async function* buildPages<T extends ApiResult>({ batches }: Run<T>): AsyncGenerator<Page> {
  for await (const batch of batches) {
    const values = batch.flatMap(({ value }) => value ?? []);
    const [first] = values;
    if (first) yield { items: values.map(({ data }) => data as JsonObject), total: undefined, body: first.body };
  }
}
