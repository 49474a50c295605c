import type { Standing } from "../../../../chain/follow/followed.ts";
import { createPaintedScreen } from "../../../../command-support/painted-screen.ts";
import { printerOf } from "../../../../command-support/printing.ts";
import type { Session } from "../../../../command-support/session/session.ts";
import { grouped } from "../../../../contract/decimal.ts";
import type { Network } from "../../../../contract/resources/network.ts";
import { outputForPeople } from "../../../../terminal/ascii.ts";
import { takesLinks } from "../../../../terminal/capabilities.ts";
import { liveScreen } from "../../../../terminal/live-screen.ts";
import { paintedRows } from "../../../../terminal/painter.ts";
import { createStyle } from "../../../../terminal/style.ts";
import type { Call } from "../../../command.ts";
import type { Wait, WaitReporter } from "../wait.ts";
import { liveEntry } from "./entry.ts";
import { networksOf } from "./networks.ts";

/** Shows transactions live, repainted at every read and when the terminal is resized. */
export async function liveReporter(call: Call, session: Session, { targets, plan }: Wait): Promise<WaitReporter> {
  const { clock, env } = call.app;
  const stdout = outputForPeople(call.app.stdout, env);
  const { goal } = plan;
  const painted = createPaintedScreen(stdout);
  const style = await createStyle(printerOf(call).color);
  const links = { takesLinks: takesLinks(env, stdout.isTerminal) };
  const start = clock.now();
  let networks: Map<string, Network> | undefined;
  const entriesOf = (standings: readonly Standing[], now: number) =>
    standings.map((standing, index) => {
      const isCancellation = targets[index]?.wanted === "cancellation";
      const network = networks?.get(standing.relayerId);
      return liveEntry(standing, { goal, isCancellation, network, flags: session.flags, now, start });
    });
  return {
    async seen(standings) {
      networks ??= await networksOf(
        session,
        targets.map(({ relayerId }) => relayerId),
      );
      const now = clock.now();
      const entries = entriesOf(standings, now);
      const text = async () =>
        liveScreen(entries, { columns: stdout.columns, rows: paintedRows(stdout), style, ...links });
      await painted.show(text, footerOf(standings, `${new Date(now).toISOString().slice(11, 19)}Z · ${session.name}`));
    },
    end: () => painted.end(),
  };
}

/** Returns the line below: the time, the service, and how many of several have ended. */
function footerOf(standings: readonly Standing[], where: string): string {
  const ended = standings.filter(({ end }) => end !== undefined).length;
  const count = standings.length === 1 ? "" : ` · ${grouped(ended)} of ${grouped(standings.length)} ended`;
  return `${where}${count} · Ctrl-C to stop`;
}
