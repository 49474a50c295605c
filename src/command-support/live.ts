import { RelayctlError } from "../errors.ts";
import { wantsPlainLines } from "../terminal/capabilities.ts";
import { visibleJson } from "../terminal/escape.ts";
import type { Output } from "../terminal/streams/output.ts";
import type { Call } from "./call.ts";

export type LiveForm = "screen" | "events" | "lines";

/** Returns how to show changes. Verbose lines would disturb a screen. */
export function liveForm({ app: { env, stdout }, common, output }: Pick<Call, "app" | "common" | "output">): LiveForm {
  if ((output.format ?? (stdout.isTerminal ? "table" : "ndjson")) === "ndjson") return "events";
  const isTable = (output.format ?? "table") === "table";
  return isTable && stdout.isTerminal && !wantsPlainLines(env) && !common.verbose ? "screen" : "lines";
}

export async function writeEvent(stdout: Output, line: string): Promise<void> {
  await stdout.write(stdout.isTerminal ? visibleJson(line) : line);
}

export function createOutageNotes(
  { say }: Pick<Call, "say">,
  retrying: string,
): (trouble?: { message: string }) => Promise<void> {
  let isFailing = false;
  return async (trouble) => {
    if (trouble && !isFailing) await say({ note: `${trouble.message}; ${retrying}` });
    if (isFailing && !trouble) await say({ note: "the service is responding again" });
    isFailing = trouble !== undefined;
  };
}

/** Returns whether an error only means that Ctrl-C ended an endless command. */
export function isEndedByCtrlC({ app: { interrupt } }: Pick<Call, "app">, error: unknown): boolean {
  return interrupt.reason === "interrupted" && error instanceof RelayctlError && error.failure === "interrupted";
}

/** Returns the time of day: `14:02:11Z`. */
export function timeOfDay(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(11, 19)}Z`;
}
