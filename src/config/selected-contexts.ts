import { type Problem, usageError } from "../errors.ts";
import { nearestChoice } from "../nearest.ts";
import type { Config } from "./config.ts";

/** Returns typed order, or the alphabetical for a pattern. @throws RelayctlError usage with the nearest names */
export function selectedContexts({ contexts }: Config, text: string): string[] {
  const known = Object.keys(contexts).sort();
  if (known.length === 0)
    throw usageError([{ where: "--context", given: text, rule: "there are no contexts yet" }], "relayctl auth login");
  const problems: Problem[] = [];
  const selected = text.split(",").flatMap((typed) => {
    const part = typed.trim();
    const found = known.includes(part) ? [part] : known.filter((name) => matchesName(part, name));
    if (found.length === 0) problems.push({ where: "--context", given: text, rule: whyNone(part, known) });
    return found;
  });
  if (problems.length > 0) throw usageError(problems, "relayctl context list");
  return [...new Set(selected)];
}

/** Returns whether a name matches a pattern, in bounded time: after a star, only the last one gives way. */
function matchesName(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < name.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      resume = index;
    } else if (pattern[at] === "?" || pattern[at] === name[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

function whyNone(part: string, known: readonly string[]): string {
  if (part === "") return "contains an empty name";
  const isPattern = /[*?]/.test(part);
  const words = isPattern ? `no context matches "${part}"` : `unknown context "${part}"`;
  return words + nearestChoice([part.replace(/[*?]/g, "")], known);
}
