import { printerOf } from "../../../command-support/printing.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { visibleJson } from "../../../terminal/escape.ts";
import { ndjsonLine } from "../../../terminal/formats/ndjson.ts";
import { printDrawn } from "../../../terminal/printer.ts";
import { renderView } from "../../../terminal/render.ts";
import type { Condition } from "../../../terminal/select/condition.ts";
import { createStyle } from "../../../terminal/style.ts";
import type { Call } from "../../command.ts";
import { type Change, type ChangeReporter, changesBetween } from "./changes.ts";
import type { RelayerStatus } from "./health.ts";
import { type Seen, statusList } from "./read.ts";
import { statusLine } from "./words.ts";

export interface ChangeReport {
  call: Call<{ watch?: string }>;
  session: Session;
  where: readonly Condition[];
}

/** Prints one JSON object per line: each relayer at first, then each change, with its time. */
export function changeEvents(report: ChangeReport): ChangeReporter {
  const { stdout } = report.call.app;
  return reportChanges(report, async (changes) => {
    const time = timeOf(report);
    for (const { event, status } of changes) {
      const line = ndjsonLine({ time, event, ...status });
      await stdout.write(stdout.isTerminal ? visibleJson(line) : line);
    }
  });
}

/** Prints the screen once, then a line for each change. */
export function changeLines(report: ChangeReport): ChangeReporter {
  const { call, session } = report;
  const printer = printerOf(call);
  return reportChanges(report, async (changes, seen, isFirst) => {
    if (isFirst) return await renderView(statusList(seen, session), { ...call.output, format: "table" }, printer);
    const { screenText } = await import("../../../terminal/screen.ts");
    const style = await createStyle(printer.color);
    for (const change of changes) {
      const line = screenText([lineOf(change, session)], Number.POSITIVE_INFINITY, style);
      await printDrawn(`${timeOf(report)}  ${line}`, printer);
    }
  });
}

function lineOf({ event, status }: Change, { flags }: Session) {
  if (event === "removed") return { label: { text: event }, name: status.relayer.id, words: [] };
  return statusLine(status, flags);
}

function timeOf({ call }: ChangeReport): string {
  return new Date(call.app.clock.now()).toISOString();
}

type ReportChanges = (changes: readonly Change[], seen: Seen, isFirst: boolean) => Promise<void>;

/** Reports changes; an unresponsive service is reported once, and so is its recovery. */
function reportChanges({ call, where }: ChangeReport, report: ReportChanges): ChangeReporter {
  const wanted = (status: RelayerStatus) => where.every((holds) => holds(status));
  let before: readonly RelayerStatus[] | undefined;
  let isFailing = false;
  return {
    async seen(seen) {
      if (isFailing) await call.say("note: the service is responding again");
      isFailing = false;
      const isFirst = before === undefined;
      const changes = changesBetween(before, seen.found, wanted);
      before = seen.found;
      await report(changes, seen, isFirst);
    },
    async failed({ message }) {
      if (!isFailing) await call.say(`note: ${message}; retrying every ${call.flags.watch}`);
      isFailing = true;
    },
    end: async () => {},
  };
}
