import type { ApiResult } from "../../client/api-result.ts";
import { failureOfMany } from "../../client/bulk/failure.ts";
import type { Completed, Run } from "../../client/bulk/run-all.ts";
import type { BulkVerb } from "../../client/bulk/verbs.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Session } from "../../session/session.ts";
import type { Ending, ListView, Page, ResourceView } from "../../terminal/view.ts";

/** Many writes in progress, and how they are reported. */
export interface Bulk<T extends ApiResult> {
  run: Run<T>;
  resource: ResourceView;
  session: Session;
  interrupt: AbortSignal;
  verb: BulkVerb;
  /** Returns the applied changes, and the commands that undo or follow them. */
  receipt(completed: readonly Completed<T>[]): Omit<Ending, "failure"> | Promise<Omit<Ending, "failure">>;
}

/** Returns the view of each resource after its write, in job order; with the receipt, and the failures. */
export function bulkView<T extends ApiResult>({ run, resource, session, interrupt, verb, receipt }: Bulk<T>): ListView {
  return {
    kind: "list",
    resource,
    pages: pagesOf(run),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    chosen: true,
    // If none succeeded, the failure says so.
    ...(run.size > 0 && { nothing: null }),
    async ending() {
      const completed = await run.done;
      const failure = failureOfMany(completed, resource.many, interrupt, verb);
      return { ...(await receipt(completed)), ...(failure && { failure }) };
    },
  };
}

async function* pagesOf<T extends ApiResult>({ batches }: Run<T>): AsyncGenerator<Page> {
  for await (const batch of batches) {
    const values = batch.flatMap(({ value }) => value ?? []);
    const [first] = values;
    if (first) yield { items: values.map(({ data }) => data as JsonObject), total: undefined, body: first.body };
  }
}
