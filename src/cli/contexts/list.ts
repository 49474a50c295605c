import type { ListView, OneView, Page } from "../../terminal/view.ts";
import type { Endings } from "./endings.ts";
import type { InContext, Run } from "./in-context.ts";
import { enoughOf, isStreamed, pagesAsRead, pagesInOrder } from "./pages.ts";
import { resourceOfContexts } from "./resource.ts";

/** Returns the lists of several contexts as one. One that cannot be read hides no other. */
export function listOfContexts(
  sources: readonly [InContext<ListView | OneView>, ...InContext<ListView | OneView>[]],
  { call, atOnce }: Run,
  endings: Endings,
): ListView {
  const [{ view: first }] = sources;
  const bounds = {
    ...{ atOnce, interrupt: call.app.interrupt },
    failed: (...end: Parameters<typeof endings.failed>) => {
      endings.failed(...end);
      const left = sources.filter(({ name }) => !endings.hasFailed(name));
      view.where = left.map(({ name }) => name).join(", ");
      // If none could be read, the failure says so.
      if (left.length === 0) view.nothing = null;
    },
  };
  const lists = sources.map(({ name, view }) => ({ name, pages: view.kind === "one" ? pageOf(view) : view.pages }));
  const [resource, ...others] = sources.map(({ name, view }) => ({
    ...{ name, resource: view.resource },
    flags: (view.kind === "list" && view.flags) || ["-c", name],
  }));
  const empty = sources.flatMap(({ name, view }) =>
    view.kind === "list" && view.nothing !== undefined ? [{ name, text: view.nothing }] : [],
  );
  const view: ListView = {
    kind: "list",
    resource: resource ? resourceOfContexts([resource, ...others]) : first.resource,
    pages: isStreamed(call) ? pagesAsRead(lists, bounds) : pagesInOrder(lists, bounds, enoughOf(call)),
    where: sources.map(({ name }) => name).join(", "),
    flags: ["-c", call.common.context ?? ""],
    inContexts: true,
    ...((first.kind === "one" || first.inOrder) && { inOrder: true }),
    ...(first.kind === "list" && first.chosen && { chosen: true }),
    ...(empty.length > 0 && { nothing: nothingText(empty) }),
    ending: endings.all,
  };
  return view;
}

/** Returns why several lists are empty; null if their endings say so. */
function nothingText(empty: readonly { name: string; text: string | null }[]): string | null {
  const texts = empty.flatMap(({ name, text }) => (text === null ? [] : `${name}: ${text}`));
  return texts.length === 0 ? null : texts.join("; ");
}

async function* pageOf({ value, body }: OneView): AsyncGenerator<Page> {
  yield { items: [value], total: 1, body };
}
