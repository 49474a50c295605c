import type { Standing } from "../../../chain/follow/followed.ts";
import { resultOf, type WaitResult } from "../../../chain/follow/wait-result.ts";
import { createOutageNotes, type LiveForm, liveForm, writeEvent } from "../../../command-support/live.ts";
import { writeJson } from "../../../contract/json.ts";
import type { Session } from "../../../session/session.ts";
import { ndjsonLine } from "../../../terminal/formats/ndjson.ts";
import type { Call } from "../../command.ts";
import type { Wait, WaitReporter } from "./wait.ts";

export function formOf(call: Call): LiveForm {
  const { fields, query } = call.output;
  return fields !== undefined || query !== undefined ? "lines" : liveForm(call);
}

export async function reporterOf(call: Call, session: Session, wait: Wait): Promise<WaitReporter> {
  switch (formOf(call)) {
    case "screen":
      return (await import("./live/live-reporter.ts")).liveReporter(call, session, wait);
    case "events":
      return changes(call, async (event, result) => {
        const { clock, stdout } = call.app;
        const line = ndjsonLine({ time: new Date(clock.now()).toISOString(), event, ...result });
        await writeEvent(stdout, line);
      });
    case "lines":
      return changes(call, (_, result) => call.say(`${result.relayer_id}/${result.id}: ${formatText(result)}`));
  }
}

type Report = (event: "seen" | "changed" | "ended", result: WaitResult) => Promise<void>;

function changes(call: Call, report: Report): WaitReporter {
  const before = new Map<string, string>();
  const noteOutage = createOutageNotes(call, "retrying");
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
      await noteOutage(standings.find(({ trouble, end }) => trouble && end === undefined)?.trouble);
      for (const standing of standings) if (standing.record) await reportChange(standing);
    },
    end: async () => {},
  };
}

function formatText({ verdict, status, why }: WaitResult): string {
  const state = verdict === null || verdict === "pending" ? (status ?? "not read yet") : verdict.replaceAll("_", " ");
  return why === null ? state : `${state}: ${why}`;
}
