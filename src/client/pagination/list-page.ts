import type { JsonObject } from "../../contract/json.ts";
import { type ListItem, listItemValue } from "../../contract/reply/list-reply.ts";

/** One page of a list, without items of earlier pages. */
export interface ListPage<Item extends JsonObject = JsonObject> {
  /** Built on first access. */
  readonly items: readonly Item[];
  /** The same items, not built. @internal */
  readonly found: readonly ListItem[];
  readonly total: number | undefined;
  /** Exactly as received. */
  readonly body: Uint8Array;
  /**
   * Returns the memory of the body, once neither it nor an item is read anymore; values that were built stay. Absent
   * for ordinary memory; otherwise the reader may also overwrite it.
   * @internal
   */
  release?(): void;
  /** Counts bytes that the reader keeps. Pagination fails at the next page if they exceed the limit. @internal */
  keep(bytes: number): void;
}

type Received = Pick<ListPage, "total" | "body" | "release">;

export function listPage(found: readonly ListItem[], received: Received, keep: ListPage["keep"] = () => {}): ListPage {
  return new Page(found, received, keep);
}

class Page implements ListPage {
  readonly found: readonly ListItem[];
  readonly total: number | undefined;
  readonly body: Uint8Array;
  readonly keep: ListPage["keep"];
  declare release?: () => void;
  private built: readonly JsonObject[] | undefined;

  constructor(found: readonly ListItem[], { total, body, release }: Received, keep: ListPage["keep"]) {
    this.found = found;
    this.total = total;
    this.body = body;
    this.keep = keep;
    if (release) this.release = release;
  }

  get items(): readonly JsonObject[] {
    this.built ??= this.found.map(listItemValue);
    return this.built;
  }
}
