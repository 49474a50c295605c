import { PaginationEnd } from "../client/pagination/end.ts";
import { commandLine } from "../command-support/shell-words.ts";
import { RelayctlError } from "../errors.ts";
import type { Page } from "../terminal/view.ts";

/**
 * The pages of a list command. Where its reading is ended before the list is, the error has the flags that help.
 * @param flags what a command repeats to reach the same service
 */
export async function* withListHints(pages: AsyncIterable<Page>, flags: readonly string[]): AsyncGenerator<Page> {
  try {
    yield* pages;
  } catch (error) {
    if (!(error instanceof RelayctlError) || !(error.cause instanceof PaginationEnd)) throw error;
    const { reason, command } = error.cause;
    if (reason === "moving") throw error;
    const { because, added } = ADVICE[reason];
    throw error.with({ because, hint: commandLine(...flags, ...command, ...added) });
  }
}

const NARROW = "narrow the list with --limit or --page";
const FEWER = ["--limit", "1000"];
const ADVICE = {
  items: { because: [`raise --max-items, or ${NARROW}`], added: FEWER },
  pages: { because: [`raise --max-items or --per-page, or ${NARROW}`], added: FEWER },
  memory: { because: [`print the items as they arrive with -o ndjson, or ${NARROW}`], added: ["--output", "ndjson"] },
  past_end: { because: [], added: [] },
};
