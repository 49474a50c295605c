import type { Problems } from "../../../command-support/problems.ts";
import type { Call } from "../../command.ts";
import type { ChoosingFlags } from "../../list-flags.ts";

export interface StatusFlags extends ChoosingFlags {
  brief?: true;
  check?: true;
  watch?: string;
}

/** Of which relayers the service's status route is asked: of none, of those that are shown unless they are many, of all. */
export type StatusReads = "none" | "some" | "all";

/** A status costs the relayer's node a call (facts 3.1): it is read only if it is shown, specified, or filtered by. */
export function statusReadsOf({ flags, output }: Call<StatusFlags>, ids: readonly string[] | undefined): StatusReads {
  if (listAlone(flags) !== undefined) return "none";
  if (statusFlags(output).length > 0 || output.query?.includes("status")) return "all";
  const showsNone = output.fields !== undefined || ["name", "raw"].includes(output.format ?? "");
  if (showsNone) return "none";
  return ids === undefined ? "some" : "all";
}

/** What only the status route could tell cannot be had from the list. */
export function validateStatusReads({ flags, output }: Call<StatusFlags>, problems: Problems): void {
  const alone = listAlone(flags);
  if (alone === undefined) return;
  for (const [flag, given] of statusFlags(output)) {
    problems.add(flag, `cannot select a field of status together with ${alone}, which reads only the list`, given);
  }
}

function listAlone({ brief, check, watch }: StatusFlags): string | undefined {
  if (brief) return "--brief";
  if (check) return "--check";
  return watch === undefined ? undefined : "--watch";
}

/** The flags that name a field of the status, with what they were given. */
function statusFlags({ where = [], sort, fields }: Call["output"]): [flag: string, given: string][] {
  const named = { "--where": where, "--sort": [sort ?? ""], "--fields": fields?.split(",") ?? [] };
  return Object.entries(named).flatMap(([flag, texts]) =>
    texts.filter(namesStatus).map((text): [string, string] => [flag, text]),
  );
}

/** Whether a field, a condition or an order is of the status. */
export function namesStatus(text: string): boolean {
  return /^\s*[!-]?\s*status(?![\w-])/.test(text);
}
