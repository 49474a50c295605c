import type { Standing } from "../../../chain/follow/followed.ts";
import { resultOf, type WaitResult } from "../../../chain/follow/wait-result.ts";
import { writeJson } from "../../../contract/json.ts";
import type { Session } from "../../../session/session.ts";
import { wantsPlainLines } from "../../../terminal/capabilities.ts";
import { visibleJson } from "../../../terminal/escape.ts";
import { ndjsonLine } from "../../../terminal/formats/ndjson.ts";
import type { Call } from "../../command.ts";
import type { Wait, WaitReporter } from "./wait.ts";

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

export async function reporterOf(call: Call, session: Session, wait: Wait): Promise<WaitReporter> {
  switch (formOf(call)) {
    case "screen":
      return (await import("./live/live-reporter.ts")).liveReporter(call, session, wait);
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
