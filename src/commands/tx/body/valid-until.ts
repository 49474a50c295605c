import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { pastProblem } from "../../../contract/transaction/past-problem.ts";

/** Refuses a `valid_until` that has passed. */
export function validateValidUntil(
  problems: Problems,
  where: string,
  { valid_until }: JsonObject,
  { kind = "stellar", now }: { kind: NetworkKind | undefined; now: number },
): void {
  if (typeof valid_until !== "string" || problems.has(where)) return;
  const past = pastProblem(kind, valid_until, now);
  if (past !== undefined) problems.add(where, past, valid_until);
}
