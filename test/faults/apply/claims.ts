import { printedError } from "../../helpers/exited.ts";
import type { Applied as Entry } from "../server/ledger.ts";
import type { Ended } from "../world.ts";

interface Row {
  noun: string;
  id: string;
  outcome: string;
  applied: "yes" | "no" | "unknown";
}

interface ErrorFacts {
  exit_code: number;
  applied: string;
  hint: string | null;
  details: { where: string; given: string }[];
}

/** Returns the keys of what was applied, in order, e.g. `signers/kms-1`. */
export function appliedKeys(ledger: readonly Entry[]): string[] {
  return ledger.map(({ operation, id }) => `${/\/api\/v1\/(\w+)/.exec(operation)?.[1]}/${id}`);
}

/**
 * Returns what is wrong with the report of an apply, held against the ledger.
 * @param keys all changes of the plan
 * @param codes the exit codes of a plan that was not applied
 */
export function falseClaims(
  { exitCode, stdout, stderr }: Ended,
  applied: readonly string[],
  keys: readonly string[],
  codes: readonly number[] = [4, 5, 6, 7, 8, 10, 11, 12, 14],
): string[] {
  const rows = (JSON.parse(stdout) as Row[]).map((row) => ({ ...row, key: `${row.noun}/${row.id}` }));
  const created = applied.filter((key, index) => applied.indexOf(key) < index);
  const wrong = [
    ...created.map((key) => `${key} was applied twice`),
    ...rows
      .filter((row) => row.applied === "yes" && !applied.includes(row.key))
      .map(({ key }) => `${key} is told as applied, and was not`),
    ...rows
      .filter((row) => row.applied === "no" && applied.includes(row.key))
      .map(({ key }) => `${key} is told as not applied, and was`),
    ...keys.filter((key) => !rows.some((row) => row.key === key)).map((key) => `${key} has no row`),
  ];
  if (exitCode === 0)
    return rows.every(({ outcome }) => outcome === "applied") ? wrong : [...wrong, "success, and not all is applied"];
  const error: ErrorFacts = printedError(stderr);
  const missed = rows.filter(({ outcome }) => outcome !== "applied" && outcome !== "already");
  const open = missed.find(({ outcome }) => outcome === "unknown");
  const found: Record<string, boolean> = {
    [`exit ${exitCode}, and something was applied`]: exitCode >= 2 && exitCode <= 10 && applied.length > 0,
    [`exit ${exitCode}, told as ${error.exit_code}`]: error.exit_code !== exitCode,
    [`exit ${exitCode} is none of a plan that was not applied`]: !codes.includes(exitCode),
    "told as not applied, and something was": error.applied === "no" && applied.length > 0,
    "told as applied, and nothing was": error.applied === "yes" && applied.length === 0,
    "a step is missing in the error": missed.some(({ key }) => !error.details.some(({ where }) => where === key)),
    "no command to check what is unknown":
      open !== undefined && error.hint?.endsWith(`${open.noun} get ${open.id}`) === false,
  };
  return [...wrong, ...Object.keys(found).filter((problem) => found[problem])];
}
