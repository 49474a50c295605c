import { typedHeaders, visibleNotes } from "../../config/resolve-service.ts";
import { mergedHeaders } from "../../contract/header-rules.ts";
import type { Problem } from "../../errors.ts";
import type { Call } from "../command.ts";
import type { CommandSyntax, ParsedFlags } from "../flags/syntax.ts";

export function defineHeaderFlags(command: CommandSyntax) {
  return command
    .option("--unset-header <name>", "Stop sending a header that --header stored (repeatable)", "values")
    .option(
      "--header-command <words>",
      "Get further headers from a command that prints JSON, as a JSON array or one word per flag (repeatable)",
      "values",
    )
    .option("--no-header-command", "Remove the header command");
}

/** Headers to set by their names; null removes one. */
export type HeaderChange = Readonly<Record<string, string | null>>;

export async function headerChange(
  { app, common, flags, say }: Pick<Call<ParsedFlags<typeof defineHeaderFlags>>, "app" | "common" | "flags" | "say">,
  problems: Problem[],
): Promise<HeaderChange | undefined> {
  const removed = (flags.unsetHeader ?? []).map((name) => [name, null] as const);
  if (!common.header) return removed.length === 0 ? undefined : Object.fromEntries(removed);
  const headers = await typedHeaders(common, {}, problems);
  if (problems.length > 0) return undefined;
  for (const note of visibleNotes(headers)) await say(`note: ${note}`);
  const { readHeaders } = await import("../../config/token/read-headers.ts");
  const read = await readHeaders({ headers, server: { value: "", from: "" } }, app);
  return { ...Object.fromEntries(removed), ...read.headers };
}

/**
 * Returns the headers of a context with a change applied; undefined if none is left.
 * @param isPrinted whether its token command still prints those that have no value here
 */
export function changedHeaders(
  before: Readonly<Record<string, string | null>> = {},
  change: HeaderChange = {},
  isPrinted = true,
): Record<string, string | null> | undefined {
  const removed = Object.keys(change).filter((name) => change[name] === null);
  const isLeft = (name: string) => !removed.some((each) => each.toLowerCase() === name.toLowerCase());
  const set = Object.entries(change).filter(([, value]) => value !== null);
  const kept = Object.entries(before).filter(([name, value]) => isLeft(name) && (isPrinted || value !== null));
  const all = mergedHeaders(Object.fromEntries(kept), Object.fromEntries(set));
  return Object.keys(all).length === 0 ? undefined : all;
}
