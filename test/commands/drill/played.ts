import type { App } from "../../../src/app.ts";
import { TransportFailure } from "../../../src/client/transport/transport.ts";
import type { IncidentName, IncidentPayment } from "../../../src/contract/incident.ts";
import { parseJson } from "../../../src/contract/json.ts";
import { createDrill } from "../../../src/embedded-server/drills/drill.ts";
import { serverOver } from "../../../src/embedded-server/server.ts";
import { movingStore, underConditions } from "../../../src/embedded-server/state/store.ts";
import { cli, type Ran } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";
import { SERVER, TOKEN, type World } from "../../helpers/test-app.ts";

const PORT = 8080;

/** What a script works with: the ordinary commands, and time. */
export interface Player {
  payments: readonly IncidentPayment[];
  journal: MemoryJournal;
  run(line: string, world?: World): Promise<Ran>;
  wait(milliseconds: number): Promise<void>;
}

/** Plays an incident with scripts, inside this process and without waiting, and returns what the drill prints. */
export async function played(
  name: IncidentName,
  scripts: readonly ((player: Player) => Promise<unknown>)[],
  seed = 7,
  format = "-o json",
) {
  let payments: readonly IncidentPayment[] = [];
  const stop = new AbortController();
  const clock = manualClock(undefined, stop.signal);
  const journal = memoryJournal();
  let uuids = 0;
  const random = { uuid: () => `00000000-0000-4000-9000-${String(++uuids).padStart(12, "0")}`, fraction: () => 0.5 };
  const serve: App["serve"] = async ({ token, incident, listening }) => {
    if (!incident) throw new Error("serves no incident");
    const drill = createDrill(incident, clock.now);
    incident.begun(drill.payments);
    await listening(PORT);
    const store = movingStore(underConditions(drill.store, {}), clock.now);
    const server = drill.observed(serverOver({ ...drill, token, store, clock, random }));
    const service: World["service"] = async (request) => {
      try {
        const { status, headers, text } = await server(request);
        return { status, headers, body: new TextEncoder().encode(text) };
      } catch {
        throw new TransportFailure("reset", "the connection was closed", { sent: true });
      }
    };
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: token, RELAYCTL_JOURNAL: "journal" };
    payments = drill.payments;
    const player: Player = {
      payments,
      journal,
      run: (line, world) => cli(line, { env, service, clock, journal, interrupt: stop.signal, ...world }),
      wait: (milliseconds) => clock.sleep(milliseconds),
    };
    for (const script of scripts) await script(player);
    await store.read(() => undefined);
    incident.ended(drill.facts());
  };
  const ran = await cli(`drill ${name} --seed ${seed} ${format} --token-file token`, {
    ...{ serve, clock, journal, interrupt: stop.signal },
    files: { token: TOKEN },
  });
  return { ...ran, payments, result: format === "-o json" ? parseJson(ran.stdout) : undefined };
}
