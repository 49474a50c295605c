import { printerOf } from "../../../flow/printer-of.ts";
import type { Session } from "../../../flow/session.ts";
import { visibleJson } from "../../../terminal/escape.ts";
import { ndjsonLine } from "../../../terminal/formats/ndjson.ts";
import { renderView } from "../../../terminal/render.ts";
import type { Condition } from "../../../terminal/select/condition.ts";
import { createStyle } from "../../../terminal/style.ts";
import type { Call } from "../../command.ts";
import { type Change, changesBetween } from "./changes.ts";
import type { RelayerStatus } from "./health.ts";
import { type Seen, statusList } from "./read.ts";
import type { Telling } from "./telling.ts";
import { statusLine } from "./words.ts";

export interface Told {
  call: Call<{ watch?: string }>;
  session: Session;
  where: readonly Condition[];
}

/** One JSON object a line: each relayer that is there at first, then each change, with its time. */
export function changeEvents(told: Told): Telling {
  const { stdout } = told.call.app;
  return tellChanges(told, async (changes) => {
    const time = timeOf(told);
    for (const { event, status } of changes) {
      const line = ndjsonLine({ time, event, ...status });
      await stdout.write(stdout.isTerminal ? visibleJson(line) : line);
    }
  });
}

/** The screen once, then a line for each change. */
export function changeLines(told: Told): Telling {
  const { call, session } = told;
  const printer = printerOf(call);
  return tellChanges(told, async (changes, seen, isFirst) => {
    if (isFirst) return await renderView(statusList(seen, session), { ...call.output, format: "table" }, printer);
    const { screenText } = await import("../../../terminal/screen.ts");
    const style = await createStyle(printer.color);
    for (const change of changes) {
      const line = screenText([lineOf(change, session)], Number.POSITIVE_INFINITY, style);
      await printer.stdout.write(`${timeOf(told)}  ${line}`);
    }
  });
}

function lineOf({ event, status }: Change, { flags }: Session) {
  if (event === "removed") return { label: { text: event }, name: status.relayer.id, words: [] };
  return statusLine(status, flags);
}

function timeOf({ call }: Told): string {
  return new Date(call.app.clock.now()).toISOString();
}

type TellChanges = (changes: readonly Change[], seen: Seen, isFirst: boolean) => Promise<void>;

/** Tells what changes; a service that does not answer is told once, and so is that it answers again. */
function tellChanges({ call, where }: Told, tell: TellChanges): Telling {
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
      await tell(changes, seen, isFirst);
    },
    async failed({ message }) {
      if (!isFailing) await call.say(`note: ${message}; retrying every ${call.flags.watch}`);
      isFailing = true;
    },
    end: async () => {},
  };
}
