import type { ApiResult } from "../../client/api-result.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Ending, ListView, Page, ResourceView } from "../../terminal/view.ts";
import type { Session } from "../session/session.ts";
import { failureOfMany } from "./failure.ts";
import type { Landed, Run } from "./run.ts";

/** Many writes that are under way, and how they are told of. */
export interface Bulk<T extends ApiResult> {
  run: Run<T>;
  resource: ResourceView;
  session: Session;
  interrupt: AbortSignal;
  /** What was applied, and the commands that undo or follow it. */
  receipt(landed: readonly Landed<T>[]): Omit<Ending, "failure"> | Promise<Omit<Ending, "failure">>;
}

/** Each thing as its write left it, in the order of the jobs; with the receipt, and what failed. */
export function bulkView<T extends ApiResult>({ run, resource, session, interrupt, receipt }: Bulk<T>): ListView {
  return {
    kind: "list",
    resource,
    pages: pagesOf(run),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    chosen: true,
    // None of them succeeded: their failure tells so.
    ...(run.size > 0 && { nothing: null }),
    async ending() {
      const landed = await run.done;
      const failure = failureOfMany(landed, resource.many, interrupt);
      return { ...(await receipt(landed)), ...(failure && { failure }) };
    },
  };
}

async function* pagesOf<T extends ApiResult>({ results }: Run<T>): AsyncGenerator<Page> {
  for await (const { value } of results) {
    if (value) yield { items: [value.data as JsonObject], total: undefined, body: value.body };
  }
}
