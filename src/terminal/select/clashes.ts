import type { Problem } from "../../errors.ts";
import type { OutputOptions } from "../output-options.ts";

/** What chooses from the service's data, and so has no place where the reply is printed as it came. */
const CHOOSING = ["fields", "query", "where", "sort", "limit"] as const;

/** Flags that cannot be meant together. */
export function clashes(options: OutputOptions): Problem[] {
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
    if (has(flag)) problems.push({ where: `--${flag}`, rule: "has no effect on -o name, which is the ids alone" });
  }
  return problems;
}
