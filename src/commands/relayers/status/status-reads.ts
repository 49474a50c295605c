import type { Problems } from "../../../contract/problems.ts";
import type { Call } from "../../command.ts";
import type { ChoosingFlags } from "../../list-flags.ts";
import type { WatchFlag } from "../../watch/flag.ts";

export interface StatusFlags extends ChoosingFlags, WatchFlag {
  brief?: true;
  check?: true;
  listen?: string;
  onChange?: string;
  warn?: string[];
  crit?: string[];
}

/** The relayers whose status route is read: none, the displayed ones unless there are many, or all. */
export type StatusReads = "none" | "some" | "all";

/** Returns which statuses to read: each costs a call of its node (facts 3.1), so only those shown or filtered by. */
export function statusReadsOf({ flags, output }: Call<StatusFlags>, ids: readonly string[] | undefined): StatusReads {
  if (listAlone(flags) !== undefined) return "none";
  if (namesValues(output) || output.query?.includes("status")) return "all";
  const showsNone = output.fields !== undefined || ["name", "raw"].includes(output.format ?? "");
  if (showsNone) return "none";
  return ids === undefined ? "some" : "all";
}

/** Adds problems for status fields when only the list is read, or selects what is measured. */
export function validateStatusReads({ flags, output }: Call<StatusFlags>, problems: Problems): void {
  const measuring = measuringFlag(flags, output);
  for (const given of measuring === undefined ? [] : (output.where ?? []).filter(namesStatus))
    problems.add("--where", `cannot select by a field of status with ${measuring}, which selects by the list`, given);
  const alone = listAlone(flags);
  if (alone === undefined) return;
  for (const [flag, given] of statusFlags(output)) {
    problems.add(flag, `cannot select a field of status together with ${alone}, which reads only the list`, given);
  }
}

function listAlone({ brief, check, warn, crit }: StatusFlags): string | undefined {
  if (brief) return "--brief";
  return check && !warn && !crit ? "--check" : undefined;
}

/** Returns the flag that measures relayers, whose values are read only once the relayers are selected. */
function measuringFlag({ listen, warn, crit }: StatusFlags, { format }: Call["output"]): string | undefined {
  if (format === "prom") return "-o prom";
  if (listen !== undefined) return "--listen";
  if (warn) return "--warn";
  return crit && "--crit";
}

function statusFlags({ where = [], sort, fields }: Call["output"]): [flag: string, given: string][] {
  const named = { "--where": where, "--sort": [sort ?? ""], "--fields": fields?.split(",") ?? [] };
  return Object.entries(named).flatMap(([flag, texts]) =>
    texts.filter(namesStatus).map((text): [string, string] => [flag, text]),
  );
}

/** Returns whether a field, a condition, or a sort refers to a value that takes requests for each relayer. */
export function namesStatus(text: string): boolean {
  return /^\s*[!-]?\s*(?:status(?![\w-])|(?:oldest|runway)(?![\w.-]))/.test(text);
}

/** Returns whether the output is selected by values that take requests for each relayer. */
export function namesValues(output: Call["output"]): boolean {
  return statusFlags(output).length > 0;
}

/** Returns whether the output is selected by how long balances last. */
export function namesRunway(output: Call["output"]): boolean {
  return statusFlags(output).some(([, text]) => text.includes("runway"));
}

/** Returns whether the output is selected by the age of the oldest pending transaction. */
export function namesOldest(output: Call["output"]): boolean {
  return statusFlags(output).some(([, text]) => text.includes("oldest"));
}
