import { RelayctlError } from "../errors.ts";
import { hasPlainLines } from "../terminal/capabilities.ts";
import { escapeJson } from "../terminal/escape.ts";
import type { Output } from "../terminal/streams/output.ts";
import type { Call } from "./call.ts";

export type LiveForm = "screen" | "events" | "lines";

/** Returns how to show changes. Verbose lines would disturb a screen. */
export function liveForm({ app: { env, stdout }, common, output }: Pick<Call, "app" | "common" | "output">): LiveForm {
  if ((output.format ?? (stdout.isTerminal ? "table" : "ndjson")) === "ndjson") return "events";
  const isTable = (output.format ?? "table") === "table";
  return isTable && stdout.isTerminal && !hasPlainLines(env) && !common.verbose ? "screen" : "lines";
}

export async function writeLiveEvent(stdout: Output, line: string): Promise<void> {
  await stdout.write(stdout.isTerminal ? escapeJson(line) : line);
}

export function outageNotes(
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
export function endedByCtrlC({ app: { interrupt } }: Pick<Call, "app">, error: unknown): boolean {
  return interrupt.reason === "interrupted" && error instanceof RelayctlError && error.failure === "interrupted";
}

/** Returns the time of day: `14:02:11Z`. */
export function liveTimeOfDay(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(11, 19)}Z`;
}
