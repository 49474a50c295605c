import type { JsonObject } from "../../../contract/json.ts";
import type { Call } from "../../command.ts";
import { changesBetween } from "../changes.ts";
import { eventLine } from "../event-line.ts";
import type { Watched, WatchReporter } from "../watched.ts";
import { createProgramQueue } from "./program-queue.ts";

/**
 * Returns the reporter, which then also runs a program for each change, with the event's line on stdin. What is seen
 * first is not a change. The watch does not wait for the program.
 */
export function runningOnChange(
  call: Call,
  watched: Watched,
  { argv, reporter }: { argv: readonly string[]; reporter: WatchReporter },
): WatchReporter {
  const queue = createProgramQueue(call.app, argv, reporter.noted);
  let before: readonly JsonObject[] | undefined;
  return {
    ...reporter,
    async seen(reading, choice) {
      const changes = before ? changesBetween(before, reading.items, { ...watched, ...choice }) : [];
      before = reading.items;
      await reporter.seen(reading, choice);
      for (const change of changes) queue.add(eventLine(change, watched, choice));
    },
    async end() {
      try {
        await reporter.end();
      } finally {
        await queue.end();
      }
    },
  };
}
