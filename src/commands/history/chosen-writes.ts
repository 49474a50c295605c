import type { Call } from "../../command-support/call.ts";
import { commonTargetFlags } from "../../command-support/common-flags.ts";
import { groupDigits } from "../../contract/decimal.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import { type Journal, type RecordedWrite, writesOf } from "../../journal/journal.ts";
import { commandLine } from "../../shell/shell-words.ts";

export async function chosenWrites(journal: Journal, typed: string): Promise<readonly RecordedWrite[]> {
  return await writesBy(["run", "id"], journal, typed);
}

export async function chosenRun(journal: Journal, typed: string): Promise<readonly RecordedWrite[]> {
  return await writesBy(["run"], journal, typed);
}

type Key = "run" | "id";

async function writesBy(keys: readonly Key[], journal: Journal, typed: string): Promise<readonly RecordedWrite[]> {
  const exact = await writesWith(keys, journal, typed);
  if (exact.length > 0) return exact;
  const found = await idsStarting(keys, journal, typed.toLowerCase());
  const [only, ...more] = [...found];
  if (only === undefined) return [];
  if (more.length > 0) throw ambiguousError(typed, [...found.values()]);
  return await writesWith(keys, journal, only[0]);
}

async function writesWith(keys: readonly Key[], journal: Journal, id: string): Promise<readonly RecordedWrite[]> {
  const entries = await journal.find(id);
  return writesOf(entries.filter((entry) => keys.some((key) => entry[key] === id)));
}

async function idsStarting(keys: readonly Key[], journal: Journal, start: string) {
  const found = new Map<string, string>();
  for await (const entry of journal.newestFirst()) {
    if (entry.type !== "intent") continue;
    const { time, operation } = entry;
    for (const key of keys) {
      const id = entry[key];
      const words = key === "run" ? `run ${id} of ${time}` : `write ${id} of ${time}: ${operation}`;
      if (id.startsWith(start)) found.set(id, words);
    }
  }
  return found;
}

const MOST_LISTED = 10;

function ambiguousError(typed: string, found: readonly string[]): RelayctlError {
  const listed = found.slice(0, MOST_LISTED).map((words) => ({ where: "run", rule: `could be ${words}` }));
  const more = found.length - listed.length;
  const rest = more > 0 ? [{ where: "run", rule: `and ${groupDigits(more)} more; type more of the ID` }] : [];
  const details = [...listed, ...rest];
  const { message } = usageError([{ where: "run", given: typed, rule: "is the start of several IDs" }]);
  return new RelayctlError("usage", message, { details });
}

export function chosenWritesNotFound(typed: string, { common }: Pick<Call, "common">): RelayctlError {
  const hint = commandLine(...commonTargetFlags(common), "history");
  return new RelayctlError("not_found", `unknown run or write "${typed}"`, { hint });
}
