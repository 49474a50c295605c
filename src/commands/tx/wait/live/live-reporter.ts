import type { Standing } from "../../../../chain/follow/followed.ts";
import { createPaintedScreen } from "../../../../command-support/painted-screen.ts";
import { printerOf } from "../../../../command-support/printing.ts";
import type { Session } from "../../../../command-support/session/session.ts";
import { grouped } from "../../../../contract/decimal.ts";
import type { Network } from "../../../../contract/resources/network.ts";
import { RelayctlError } from "../../../../errors.ts";
import { outputForPeople } from "../../../../terminal/ascii.ts";
import { takesLinks } from "../../../../terminal/capabilities.ts";
import { liveScreen } from "../../../../terminal/live-screen.ts";
import { paintedRows } from "../../../../terminal/painter.ts";
import { createStyle } from "../../../../terminal/style.ts";
import { COIN_TIMEOUT } from "../../../../timing.ts";
import type { Call } from "../../../command.ts";
import type { Wait, WaitReporter } from "../wait.ts";
import { liveEntry } from "./entry.ts";

/** The most relayers whose networks are read. */
const MOST_READ = 16;

/** Reads the networks of relayers, by the relayer's ID; those that cannot be read are missing. */
async function networksOf(session: Session, relayerIds: Iterable<string>): Promise<Map<string, Network>> {
  const client = session.briefly(COIN_TIMEOUT);
  const ids = [...new Set(relayerIds)].slice(0, MOST_READ);
  const read = async (id: string) => {
    const { network, network_type: kind } = (await client.relayers.get(id)).data;
    return (await client.networks.get(`${kind}:${String(network).toLowerCase()}`, { byRoute: true })).data;
  };
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        return [[id, await read(id)] as const];
      } catch (error) {
        if (error instanceof RelayctlError) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}

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
