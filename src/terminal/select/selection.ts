import type { JsonObject } from "../../contract/json.ts";
import { type Problem, rescue, usageError } from "../../errors.ts";
import type { OutputFormat, OutputOptions } from "../output-options.ts";
import type { ResourceView } from "../view.ts";
import { type Condition, parseCondition, parseSort, type Sort } from "./condition.ts";
import { parseFields } from "./fields.ts";
import { derivedAdder } from "./path.ts";
import { parseQuery, type Query } from "./query.ts";

const ONLY: Partial<Record<OutputFormat, { has: keyof ResourceView; commands: string }>> = {
  prom: { has: "hasMetrics", commands: "`relayctl relayers status`" },
  markdown: { has: "hasMarkdown", commands: "`relayctl plan` and `relayctl drift`" },
  sarif: { has: "isOfFiles", commands: "`relayctl validate`" },
  github: { has: "isOfFiles", commands: "`relayctl validate`" },
};

/** Validates before anything is sent. @throws usage, with every problem @param resource absent for `api` */
export async function validateOutput(options: OutputOptions, resource?: ResourceView): Promise<void> {
  if (!resource && options.fields !== undefined) {
    const rule = "this result has no known fields";
    throw usageError([{ where: "--fields", given: options.fields, rule }]);
  }
  const { format = "table" } = options;
  const only = ONLY[format];
  if (only && !resource?.[only.has])
    throw usageError([{ where: "-o", given: format, rule: `is a format of ${only.commands} only` }]);
  await readSelection(options, resource);
}

export interface Selection {
  where: readonly Condition[];
  sort: Sort | undefined;
  limit: number;
  fields: readonly string[] | undefined;
  query: Query | undefined;
  derive?: ((item: JsonObject) => JsonObject) | undefined;
}

/** Reports all problems before anything is sent. @param resource absent if its fields are unknown @throws usage */
export async function readSelection(options: OutputOptions, resource: ResourceView | undefined): Promise<Selection> {
  const { fields, query, sort, where = [], limit, now = 0 } = options;
  const problems = flagClashes(options);
  const conditions = where.map((text) =>
    gatherProblems(problems, () => resource && parseCondition(text, resource, now, "--where", true)),
  );
  const selection: Selection = {
    where: (await Promise.all(conditions)).filter((condition) => condition !== undefined),
    sort: await gatherProblems(problems, () =>
      sort !== undefined && resource ? parseSort(sort, resource, now) : undefined,
    ),
    fields: await gatherProblems(problems, () =>
      fields !== undefined && resource ? parseFields(fields, resource) : undefined,
    ),
    query: await gatherProblems(problems, () => (query === undefined ? undefined : parseQuery(query))),
    limit: limit ?? Number.POSITIVE_INFINITY,
  };
  if (problems.length > 0) throw usageError(problems);
  const derive = resource && derivedAdder(resource, selection.fields ?? [], now);
  return { ...selection, derive };
}

/** Options that select from the data, and so conflict with printing the response unchanged. */
const CHOOSING = ["fields", "query", "where", "sort", "limit"] as const;

function flagClashes(options: OutputOptions): Problem[] {
  const given = CHOOSING.filter((flag) => options[flag] !== undefined && String(options[flag]) !== "");
  const has = (flag: (typeof CHOOSING)[number]) => given.includes(flag);
  if (options.format === "raw")
    return given.map((flag) => ({
      where: `--${flag}`,
      rule: "has no effect on -o raw, which prints one response exactly as received",
    }));
  const problems: Problem[] = [];
  if (has("fields") && has("query")) problems.push({ where: "--fields", rule: "cannot be combined with --query" });
  if (options.format !== "name") return problems;
  for (const flag of ["fields", "query"] as const) {
    if (has(flag)) problems.push({ where: `--${flag}`, rule: "has no effect on -o name, which prints only ids" });
  }
  return problems;
}

async function gatherProblems<T>(problems: Problem[], read: () => T | Promise<T>): Promise<T | undefined> {
  const reading = async () => await read();
  return await rescue(reading(), ({ details }) => void problems.push(...details));
}
