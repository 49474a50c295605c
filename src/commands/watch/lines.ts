import { printerOf } from "../../command-support/printing.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { RelayctlError } from "../../errors.ts";
import { visible, visibleJson } from "../../terminal/escape.ts";
import { printDrawn } from "../../terminal/printer.ts";
import { renderView } from "../../terminal/render.ts";
import type { Call } from "../command.ts";
import { type Change, changesBetween, changeText } from "./changes.ts";
import type { Choice } from "./choice.ts";
import { eventLine } from "./event-line.ts";
import type { WatchFlag } from "./flag.ts";
import type { Reading, Watched, WatchReporter } from "./watched.ts";

/** Prints one JSON object per line: each item at first, then each change, with its time. */
export function eventReporter(call: Call<WatchFlag>, watched: Watched): WatchReporter {
  const { stdout } = call.app;
  return reportChanges(call, watched, async (changes, choice) => {
    for (const change of changes) {
      const line = eventLine(change, watched, choice);
      await stdout.write(stdout.isTerminal ? visibleJson(line) : line);
    }
  });
}

/** Prints the list once, then a line for each change. */
export function lineReporter(call: Call<WatchFlag>, watched: Watched): WatchReporter {
  const printer = printerOf(call);
  return reportChanges(call, watched, async (changes, { time }, reading, isFirst) => {
    if (isFirst) return await renderView(watched.view(reading.items), { ...call.output, format: "table" }, printer);
    for (const change of changes) {
      await printDrawn(`${time}  ${visible(changeText(change, watched))}\n`, printer);
    }
  });
}

type Report = (changes: readonly Change[], choice: Choice, reading: Reading, isFirst: boolean) => Promise<void>;

/** Reports changes; an unresponsive service is reported once, and so is its recovery. */
function reportChanges(call: Call<WatchFlag>, watched: Watched, report: Report): WatchReporter {
  let before: readonly JsonObject[] | undefined;
  let trouble: string | undefined;
  let isFailing = false;
  return {
    async seen(reading, choice) {
      if (isFailing) await call.say("note: the service is responding again");
      isFailing = false;
      if (reading.trouble !== undefined && reading.trouble !== trouble) await call.say(`note: ${reading.trouble}`);
      trouble = reading.trouble;
      const items = before === undefined ? choice.sorted(reading.items) : reading.items;
      const changes = changesBetween(before, items, { ...watched, ...choice });
      const isFirst = before === undefined;
      before = reading.items;
      await report(changes, choice, reading, isFirst);
    },
    async failed({ message }: RelayctlError) {
      if (!isFailing) await call.say(`note: ${message}; retrying every ${call.flags.watch}`);
      isFailing = true;
    },
    noted: (line) => call.say(line),
    due: () => undefined,
    redraw: async () => {},
    end: async () => {},
  };
}
