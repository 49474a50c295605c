import type { Session } from "../../../command-support/session/session.ts";
import { RelayctlError } from "../../../errors.ts";
import { wantsPlainLines } from "../../../terminal/plain.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { ChangeReporter } from "./change-reporter.ts";
import { paintedStatus } from "./painted.ts";
import { readStatuses, refuseMissing } from "./read.ts";
import { changeEvents, changeLines } from "./report-changes.ts";
import { statusView } from "./view.ts";

export interface Watch {
  session: Session;
  ids: readonly string[] | undefined;
  /** Milliseconds between two looks. */
  every: number;
}

/**
 * Looks again and again, until Ctrl-C or `--deadline`. The first look has to succeed; later ones may fail as long as the
 * failure is one that passes.
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

/** Repainted on a terminal, events to a pipe, and lines where a terminal is not to be painted or a table was asked for. */
async function reporterOf(call: Call<{ watch?: string }>, { session }: Watch): Promise<ChangeReporter> {
  const { env, stdout } = call.app;
  const { where } = await readSelection(call.output, statusView);
  const report = { call, session, where };
  if ((call.output.format ?? (stdout.isTerminal ? "table" : "ndjson")) === "ndjson") return changeEvents(report);
  // Verbose lines would stand in the middle of the picture.
  const isPainted = stdout.isTerminal && !wantsPlainLines(env) && !call.common.verbose;
  return isPainted ? paintedStatus(call, session) : changeLines(report);
}

/** Waits for the next look; false when the time for the whole command is over. */
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
