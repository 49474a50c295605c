import type { JsonObject } from "../../contract/json.ts";
import type { ReadStatuses } from "../../relayer-state/read-statuses.ts";
import type { Session } from "../../session/session.ts";
import type { ListView, Page } from "../../terminal/view.ts";
import { statusViewWith } from "./table.ts";
import type { Known } from "./words.ts";

/** The result of one read of the list, with what was read besides. */
export interface Seen extends Known, ReadStatuses {}

export function statusList({ found, body, missing, ...known }: Seen, { name, flags }: Session): ListView {
  const resource = statusViewWith(known);
  return { kind: "list", resource, pages: onePage(found, body), where: name, flags, inOrder: true };
}

async function* onePage(items: readonly JsonObject[], body: Uint8Array): AsyncGenerator<Page> {
  yield { items, total: items.length, body };
}
