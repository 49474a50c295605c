import { MAX_CONCURRENCY, USUAL_CONCURRENCY } from "../client/bulk/bounds.ts";
import { LARGE_PAGE, type ListBounds, MOST_ITEMS } from "../client/pagination/list-pages.ts";
import { groupDigits } from "../contract/decimal.ts";
import type { Problems } from "../contract/problems.ts";
import { type CommandSyntax, commandNumberFlag, type ParsedFlags } from "./command.ts";

export type ListFlags = ParsedFlags<typeof defineListFlags>;

export function defineListFlags(command: CommandSyntax, conditions: string) {
  return command
    .optionsGroup("List")
    .option("--page <n>", "Fetch only this page, counting from 1")
    .option("--per-page <n>", "Request this many items per page")
    .option("--limit <n>", "Stop after this many items")
    .option("--concurrency <n>", `Fetch this many pages at once (1–${MAX_CONCURRENCY}; default: ${USUAL_CONCURRENCY})`)
    .option("--max-items <n>", `Fail if there are more items (default: ${groupDigits(MOST_ITEMS)})`)
    .include(defineChoosingFlags, conditions);
}

export function defineChoosingFlags(command: CommandSyntax, conditions: string) {
  return command
    .option(
      "--where <condition>",
      `Show only matching items, e.g. ${conditions} (repeatable; all must match)`,
      "values",
    )
    .option("--sort <field>", "Sort by a field (-FIELD for descending order)");
}

/** The interface allows page 0 and per_page 0. A limit requests no more pages than needed, unless a sort needs all. */
export function listBounds(flags: ListFlags, problems: Problems, chooses = flags.where !== undefined): ListBounds {
  const page = commandNumberFlag(problems, "--page", flags.page, 0);
  const perPage = commandNumberFlag(problems, "--per-page", flags.perPage, 0);
  const limit = commandNumberFlag(problems, "--limit", flags.limit, 1);
  const concurrency = commandNumberFlag(problems, "--concurrency", flags.concurrency, 1, MAX_CONCURRENCY);
  const maxItems = commandNumberFlag(problems, "--max-items", flags.maxItems, 1);
  const bounds: ListBounds = {
    ...(page !== undefined && { page }),
    ...(perPage !== undefined && { perPage }),
    ...(concurrency !== undefined && { concurrency }),
    ...(maxItems !== undefined && { maxItems }),
  };
  if (limit === undefined || page !== undefined || flags.sort !== undefined) return bounds;
  if (chooses) return { ...bounds, concurrency: 1 };
  return { perPage: Math.min(limit, LARGE_PAGE), ...bounds, enough: limit };
}
