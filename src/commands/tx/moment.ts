import type { JsonObject } from "../../contract/json.ts";
import type { Problems } from "../../flow/problems.ts";

/** Refuses a `valid_until` that has passed. */
export function judgeMoment(problems: Problems, where: string, { valid_until }: JsonObject, now: number): void {
  if (typeof valid_until !== "string" || problems.has(where)) return;
  // RFC 3339, or unix seconds as Stellar takes them.
  const moment = /^[0-9]+$/.test(valid_until) ? Number(valid_until) * 1000 : Date.parse(valid_until);
  if (moment < now) problems.add(where, "is in the past", valid_until);
}
