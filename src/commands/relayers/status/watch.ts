import type { Session } from "../../../command-support/session/session.ts";
import { RelayctlError } from "../../../errors.ts";
import { wantsPlainLines } from "../../../terminal/capabilities.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { ChangeReporter } from "./changes.ts";
import { paintedStatus } from "./painted.ts";
import { readStatuses, refuseMissing } from "./read.ts";
import { changeEvents, changeLines } from "./report-changes.ts";
import { statusView } from "./view.ts";

export interface Watch {
  session: Session;
  ids: readonly string[] | undefined;
  /** Milliseconds between two reads. */
  every: number;
}

/**
 * Reads repeatedly until Ctrl-C or `--deadline`. The first read must succeed; later ones may fail if the failure is
 * temporary.
 */
export async function watchStatus(call: Call<{ watch?: string }>, watch: Watch): Promise<View> {
  const first = await readStatuses(watch.session, watch.ids);
  refuseMissing(first, watch.session);
  const reporter = await reporterOf(call, watch);
  try {
    await reporter.seen(first);
    while (await isTimeAgain(call, watch)) await readAgain(call, watch, reporter);
  } finally {
    await reporter.end();
  }
  return { kind: "nothing" };
}

/**
 * Repaints on a terminal, prints events to a pipe, and lines if the terminal must not be repainted or a table is
 * requested.
 */
async function reporterOf(call: Call<{ watch?: string }>, { session }: Watch): Promise<ChangeReporter> {
  const { env, stdout } = call.app;
  const { where } = await readSelection(call.output, statusView);
  const report = { call, session, where };
  if ((call.output.format ?? (stdout.isTerminal ? "table" : "ndjson")) === "ndjson") return changeEvents(report);
  // Verbose lines would disturb the screen.
  const isPainted = stdout.isTerminal && !wantsPlainLines(env) && !call.common.verbose;
  return isPainted ? paintedStatus(call, session) : changeLines(report);
}

/** Waits for the next read; returns false when the command's time limit has passed. */
async function isTimeAgain({ app }: Call, { session, every }: Watch): Promise<boolean> {
  await app.clock.sleep(Math.max(0, Math.min(every, timeLeft(session))), app.interrupt);
  if (app.interrupt.aborted) throw new RelayctlError("interrupted", "the watch was interrupted");
  return timeLeft(session) > 0;
}

function timeLeft({ remaining }: Session): number {
  return remaining?.() ?? Number.POSITIVE_INFINITY;
}

async function readAgain({ app }: Call, { session, ids }: Watch, reporter: ChangeReporter): Promise<void> {
  try {
    await reporter.seen(await readStatuses(session, ids));
  } catch (error) {
    const passes = error instanceof RelayctlError && error.retryable && !app.interrupt.aborted;
    if (!passes) throw error;
    if (timeLeft(session) > 0) await reporter.failed(error);
  }
}
