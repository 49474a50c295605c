import type { Command } from "commander";
import type { ListBounds } from "../client/pagination/list-pages.ts";
import type { Problems } from "../command-support/problems.ts";
import { numberFlag } from "./flags/number-flag.ts";
import { repeatable } from "./flags/repeatable.ts";

/** The flags that filter and sort a list. */
export interface ChoosingFlags {
  where?: string[];
  sort?: string;
}

/** The flags of every list (promises 2.3), with numbers as typed. */
export interface ListFlags extends ChoosingFlags {
  page?: string;
  perPage?: string;
  limit?: string;
  concurrency?: string;
  maxItems?: string;
}

const CONDITIONS = "paused, !paused, network=base,mainnet, policies.gas_price_cap>80gwei";

/**
 * Adds the flags of a list to a command.
 * @param conditions examples for `--where`
 */
export function defineListFlags(command: Command, conditions = CONDITIONS): Command {
  command
    .optionsGroup("List")
    .option("--page <n>", "Fetch only this page, counting from 1")
    .option("--per-page <n>", "Request this many items per page")
    .option("--limit <n>", "Stop after this many items")
    .option("--concurrency <n>", "Fetch this many pages at once (1–100; default: 8)")
    .option("--max-items <n>", "Fail if there are more items (default: 5,000,000)");
  return defineChoosingFlags(command, conditions);
}

/** Adds `--where` and `--sort`. */
export function defineChoosingFlags(command: Command, conditions: string): Command {
  return command
    .option(
      "--where <condition>",
      `Show only matching items, e.g. ${conditions} (repeatable; all must match)`,
      repeatable,
    )
    .option("--sort <field>", "Sort by a field (-FIELD for descending order)");
}

const MAX_PER_PAGE = 1000;
/** The service rejects more at the same time (facts 1.4). */
const MAX_CONCURRENCY = 100;

/**
 * Which pages the flags ask for. Page 0 and per_page 0 are allowed by the interface and sent as asked. A limit asks for
 * no more than it needs, unless all must be read to put it in order; with a condition nobody knows how many pages it needs,
 * and they are asked for one by one.
 * @param chooses whether some of what is read is left out
 */
export function listBounds(flags: ListFlags, problems: Problems, chooses = flags.where !== undefined): ListBounds {
  const page = numberFlag(problems, "--page", flags.page, 0);
  const perPage = numberFlag(problems, "--per-page", flags.perPage, 0);
  const limit = numberFlag(problems, "--limit", flags.limit, 1);
  const concurrency = numberFlag(problems, "--concurrency", flags.concurrency, 1, MAX_CONCURRENCY);
  const maxItems = numberFlag(problems, "--max-items", flags.maxItems, 1);
  const bounds: ListBounds = {
    ...(page !== undefined && { page }),
    ...(perPage !== undefined && { perPage }),
    ...(concurrency !== undefined && { concurrency }),
    ...(maxItems !== undefined && { maxItems }),
  };
  if (limit === undefined || page !== undefined || flags.sort !== undefined) return bounds;
  if (chooses) return { ...bounds, concurrency: 1 };
  return { perPage: Math.min(limit, MAX_PER_PAGE), ...bounds, enough: limit };
}

/** The query of the first request: what is named, and for a walk the page and the size that it begins with. */
export function firstQuery({ page, perPage }: ListBounds): Record<string, string> {
  const paginates = page === undefined && perPage !== 0;
  const [number, size] = paginates ? [1, perPage ?? MAX_PER_PAGE] : [page, perPage];
  return {
    ...(number !== undefined && { page: String(number) }),
    ...(size !== undefined && { per_page: String(size) }),
  };
}
