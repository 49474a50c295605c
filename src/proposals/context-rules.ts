import type { App, RulesChange } from "../app.ts";
import { type Context, contextShape } from "../config/config.ts";
import { shownServer } from "../config/connection/origin.ts";
import { isJsonObject, parseJson, writeJson } from "../contract/json.ts";
import { usageError } from "../errors.ts";
import { type Asked, madeNow } from "./make-proposal.ts";
import { CONTEXT_TARGET, digestOf, type Proposal } from "./proposal.ts";

/** A context's rules for writes, which can't be loosened without its approvers' signatures. */
const RULES = [
  ...(["protected", "require_reason", "read_only", "journal"] as const),
  ...(["max_value", "max_per_day", "allow_to", "approvers"] as const),
];

function parted(context: Context): [rules: Partial<Context>, rest: Partial<Context>] {
  const isRule = ([name]: [string, unknown]) => RULES.some((rule) => rule === name);
  const entries = Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1));
  return [entries.filter(isRule), entries.filter((entry) => !isRule(entry))].map((each) =>
    Object.fromEntries(each),
  ) as [Partial<Context>, Partial<Context>];
}

export function digestOfRules(context: Context): string {
  return digestOf(writeJson(parted(context)[0]));
}

/** @throws RelayctlError usage for a context without approvers, and for a change of anything but its rules */
export function proposeRules(
  app: Pick<App, "clock" | "random" | "whoRuns">,
  { name, before, after }: RulesChange,
  asked: Asked,
): Proposal {
  if (!before?.approvers) throw refused(`context ${name} has no approvers: run the command itself`);
  const [rules, rest] = parted(after);
  if (writeJson(rest) !== writeJson(parted(before)[1])) throw refused("changes more than the rules of a context");
  return {
    ...madeNow(app, asked),
    ...{ context: name, server: shownServer(before.server), method: "SET", target: CONTEXT_TARGET },
    body: writeJson(rules),
    seen: digestOfRules(before),
    limits: "{}",
  };
}

/** Returns a context with the proposed rules. @throws RelayctlError usage if they are invalid */
export function withRules(context: Context, { body = "" }: Proposal): Context {
  const rules = parseJson(body);
  const [, rest] = parted(context);
  const changed = { ...rest, ...(isJsonObject(rules) ? rules : {}) } as Context;
  const isRules = isJsonObject(rules) && Object.keys(rules).every((name) => RULES.some((rule) => rule === name));
  if (isRules && contextShape(changed) === undefined) return changed;
  throw refused("does not have the rules of a context");
}

function refused(rule: string) {
  return usageError([{ where: "<command>", rule }]);
}
