import { listItemsOf } from "../../contract/reply/list-reply.ts";
import { ndjsonBytes } from "../formats/ndjson-bytes.ts";
import type { OutputFormat } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import type { Selection } from "../select/selection.ts";
import type { ListView, Page } from "../view.ts";
import { chosenUpTo, type Tally } from "./reading.ts";

/** Whether every item is a line as it was received, with nothing chosen by it or from it: then it need not be built. */
export function isCopied(
  format: OutputFormat,
  { where, sort, query, fields }: Selection,
  { stdout }: Printer,
): boolean {
  return format === "ndjson" && where.length === 0 && !sort && !query && !fields && !stdout.isTerminal;
}

/** From so many items on, memory matters more than time. */
const VERY_MANY = 200_000;

/** Writes the items of each page, as it arrives, as the lines of ndjson. */
export async function copyLines(listing: { view: ListView; selection: Selection; tally: Tally; out: Printer }) {
  const { view, selection, tally, out } = listing;
  const found = (page: Page) => page.found ?? listItemsOf(page.items);
  for await (const items of chosenUpTo(selection.limit, view.pages, found, tally)) {
    if ((tally.total ?? 0) > VERY_MANY) out.manyPass?.();
    await out.stdout.write(ndjsonBytes(items));
  }
  return undefined;
}
