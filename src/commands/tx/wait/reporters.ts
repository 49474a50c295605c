import type { Standing } from "../../../chain/follow/followed.ts";
import { createPaintedScreen } from "../../../command-support/painted-screen.ts";
import { printerOf } from "../../../command-support/printing.ts";
import { writeJson } from "../../../contract/json.ts";
import { wantsPlainLines } from "../../../terminal/capabilities.ts";
import { visibleJson } from "../../../terminal/escape.ts";
import { ndjsonLine } from "../../../terminal/formats/ndjson.ts";
import { createStyle } from "../../../terminal/style.ts";
import type { Call } from "../../command.ts";
import { resultOf, type WaitResult } from "./result.ts";
import { liveLine } from "./view.ts";

/** Reports where transactions stand. */
export interface WaitReporter {
  seen(standings: readonly Standing[]): Promise<void>;
  /** Ends the live form. */
  end(): Promise<void>;
}

/** How a wait is shown: repainted, as events, or as notes next to a result at its end. */
export type WaitForm = "screen" | "events" | "notes";

/** Returns how a wait is shown. Only a terminal that may be repainted shows a screen. */
export function formOf({ app: { env, stdout }, common, output: { format, fields, query } }: Call): WaitForm {
  if (fields !== undefined || query !== undefined) return "notes";
  if ((format ?? (stdout.isTerminal ? "table" : "ndjson")) === "ndjson") return "events";
  // Verbose lines would disturb the screen.
  const isPainted = (format ?? "table") === "table" && stdout.isTerminal && !wantsPlainLines(env) && !common.verbose;
  return isPainted ? "screen" : "notes";
}

/** Creates the reporter of a form. */
export function reporterOf(call: Call, where: string): WaitReporter {
  switch (formOf(call)) {
    case "screen":
      return screen(call, where);
    case "events":
      return changes(call, async (event, result) => {
        const { clock, stdout } = call.app;
        const line = ndjsonLine({ time: new Date(clock.now()).toISOString(), event, ...result });
        await stdout.write(stdout.isTerminal ? visibleJson(line) : line);
      });
    case "notes":
      return changes(call, (_, result) => call.say(`${result.relayer_id}/${result.id}: ${textOf(result)}`));
  }
}

/** Shows a line for each transaction, repainted at every read. */
function screen(call: Call, where: string): WaitReporter {
  const { clock, stdout } = call.app;
  const painted = createPaintedScreen(stdout);
  return {
    async seen(standings) {
      const { screenText } = await import("../../../terminal/screen.ts");
      const style = await createStyle(printerOf(call).color);
      const now = clock.now();
      const lines = standings.map((standing) => liveLine(standing, resultOf(standing), now));
      const footer = `${new Date(now).toISOString().slice(11, 19)}Z · ${where} · Ctrl-C to stop`;
      await painted.show(async () => screenText(lines, stdout.columns, style), footer);
    },
    end: () => painted.end(),
  };
}

type Report = (event: "seen" | "changed" | "ended", result: WaitResult) => Promise<void>;

/** Reports each transaction at first, and when it changes; an outage and its end are notes. */
function changes(call: Call, report: Report): WaitReporter {
  const before = new Map<string, string>();
  const noteOutage = outageNotes(call);
  const reportChange = async (standing: Standing) => {
    const result = resultOf(standing);
    const key = `${standing.relayerId}/${standing.id}`;
    const text = writeJson(result);
    const last = before.get(key);
    before.set(key, text);
    const event = last === undefined ? "seen" : "changed";
    if (last !== text) await report(standing.end === undefined ? event : "ended", result);
  };
  return {
    async seen(standings) {
      await noteOutage(standings);
      for (const standing of standings) if (standing.record) await reportChange(standing);
    },
    end: async () => {},
  };
}

/** Returns a function that notes once that the service does not respond, and once that it does again. */
function outageNotes(call: Call): (standings: readonly Standing[]) => Promise<void> {
  let isFailing = false;
  return async (standings) => {
    const { trouble } = standings.find((standing) => standing.trouble && standing.end === undefined) ?? {};
    if (trouble && !isFailing) await call.say(`note: ${trouble.message}; retrying`);
    if (isFailing && !trouble) await call.say("note: the service is responding again");
    isFailing = trouble !== undefined;
  };
}

/** Returns where a transaction stands in words: `submitted: it waits to be mined`. */
function textOf({ verdict, status, why }: WaitResult): string {
  const state = verdict === null || verdict === "pending" ? (status ?? "not read yet") : verdict.replaceAll("_", " ");
  return why === null ? state : `${state}: ${why}`;
}
