import { commandWords, OPEN_QUOTE } from "../../config/command-words.ts";
import { parseDuration } from "../../config/duration.ts";
import { parsedSourcedFlag, RuleError } from "../../config/sourced.ts";
import type { Problems } from "../../contract/problems.ts";
import { ON_CHANGE_TIMEOUT, SHORTEST_WATCH, USUAL_WATCH } from "../../timing.ts";
import type { Call } from "../command.ts";

export interface WatchFlag {
  watch?: string;
}

export const WATCH_OPTION = [
  "--watch <time>",
  `Refresh at an interval until Ctrl-C: repaint, or print one JSON event per line to a pipe (default: ${USUAL_WATCH / 1_000}s)`,
] as const;

export const ON_CHANGE_OPTION = [
  "--on-change <program>",
  `With --watch, run a program for each change, with its JSON event on stdin: words as in a shell, without a shell, one run at a time, each within ${ON_CHANGE_TIMEOUT / 1_000}s`,
] as const;

export async function watchProgramFlag(
  { app, flags: { onChange, watch } }: Pick<Call<WatchFlag & { onChange?: string }>, "app" | "flags">,
  problems: Problems,
): Promise<readonly string[] | undefined> {
  if (onChange === undefined) return undefined;
  if (watch === undefined) problems.add("--on-change", "needs --watch");
  const words = commandWords(onChange);
  if (!words) problems.add("--on-change", OPEN_QUOTE, onChange);
  else if (!words[0]) problems.add("--on-change", "needs a program, e.g. ./notify.sh", onChange);
  else if (!(await app.machine()).canRun(words[0]))
    problems.add("--on-change", "is not a program that can be run", words[0]);
  return words;
}

/** Returns the milliseconds between reads with `--watch`. @param clashes flags that exclude it */
export function watchIntervalFlag(
  { flags: { watch }, output: { format = "table", query } }: Pick<Call<WatchFlag>, "flags" | "output">,
  problems: Problems,
  clashes: readonly string[] = [],
): number | undefined {
  if (watch === undefined) return undefined;
  const known = ["table", "ndjson"].includes(format) ? [] : [`-o ${format}; only table and ndjson`];
  for (const clash of [...clashes, ...(query === undefined ? [] : ["--query"]), ...known])
    problems.add("--watch", `cannot be combined with ${clash}`);
  return parseWatchFlag("--watch", watch, problems);
}

export function parseWatchFlag(flag: string, text: string | undefined, problems: Problems): number | undefined {
  return parsedSourcedFlag(flag, text, parseEvery, problems.found);
}

function parseEvery(text: string): number {
  const every = parseDuration(text);
  if (every < SHORTEST_WATCH) throw new RuleError(`must be at least ${SHORTEST_WATCH / 1_000}s`, text);
  return every;
}
