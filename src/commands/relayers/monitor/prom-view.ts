import { failureToRead } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import type { View } from "../../../terminal/view.ts";
import { promText } from "../../../views/relayer-status/prom-text.ts";
import type { Call } from "../../command.ts";
import { createMonitor, type MonitorReads } from "./create-monitor.ts";

/** Returns the metrics of the relayers, read once, e.g. for the textfile collector. */
export async function promView(
  call: Call,
  session: Session,
  { ids, ...reads }: { ids: readonly string[] | undefined } & MonitorReads,
): Promise<View> {
  const { notes, ...measured } = await createMonitor(call, session, ids, reads)();
  for (const note of notes) await call.say(note);
  const failure = failureToRead(
    measured.relayers.map(({ id }) => id),
    measured.failures,
    call,
  );
  return { kind: "text", text: promText(measured, { context: session.name }), ...(failure && { failure }) };
}
