import type { Command } from "commander";
import type { ListBounds } from "../client/walk.ts";
import { integerFlag, Problems } from "../flow/problems.ts";
import { repeatable } from "./repeatable.ts";

/** The flags of every list (design 2); numbers as they were typed. */
export interface ListFlags {
  page?: string;
  perPage?: string;
  limit?: string;
  where?: string[];
  sort?: string;
}

/** Adds the flags of a list to a command. */
export function defineListFlags(command: Command): Command {
  return command
    .optionsGroup("List")
    .option("--page <n>", "one page only, counted from 1")
    .option("--per-page <n>", "items to ask for at a time")
    .option("--limit <n>", "stop after this many")
    .option("--where <condition>", "repeat, all must hold: paused, !paused, network=base,mainnet, policies.gas_price_cap>80gwei", repeatable)
    .option("--sort <field>", "order by a field; -field for the largest first");
}

const RULE = "a whole number from 0";

/** Which pages are asked for, and how many items are printed at the most. */
export interface ListRequest extends ListBounds {
  limit?: number;
}

/** The bounds of a list as typed. Page 0 and per_page 0 are allowed by the interface and sent as asked. */
export function listRequest(flags: ListFlags): ListRequest {
  const problems = new Problems();
  const page = integerFlag(problems, "--page", flags.page, RULE);
  const perPage = integerFlag(problems, "--per-page", flags.perPage, RULE);
  const limit = integerFlag(problems, "--limit", flags.limit, RULE);
  problems.throwIfAny();
  return {
    ...(page !== undefined && { page: Number(page) }),
    ...(perPage !== undefined && { perPage: Number(perPage) }),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}
