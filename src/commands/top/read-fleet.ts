import { LARGE_PAGE } from "../../client/pagination/page-query.ts";
import type { RelayctlError } from "../../errors.ts";
import { readStatuses, refuseMissing } from "../../relayer-state/read-statuses.ts";
import { rankOf, stateCell } from "../../relayer-state/state.ts";
import type { Session } from "../../session/session.ts";
import { readSelection } from "../../terminal/select/selection.ts";
import { LONGEST_WATCH_PAUSE, REQUEST_SPACING } from "../../timing.ts";
import { type Seen, statusView } from "../../views/relayer-status/table.ts";
import type { Call } from "../command.ts";
import { changesBetween } from "../watch/changes.ts";
import { type FleetReading, quietReading, unlessPassing } from "./fleet-reading.ts";
import { createDetails, type Details } from "./read-details.ts";
import type { Source } from "./state.ts";

export interface FleetReader {
  /** Reads the list once. @throws RelayctlError */
  first(): Promise<void>;
  run(): Promise<void>;
}

export function createFleetReader(given: FleetReading): FleetReader {
  const { clock } = given.call.app;
  let source = emptySource(given.session);
  const update = (part: Partial<Source>, events: readonly string[] = []) => {
    source = { ...source, ...part };
    given.read(source, events);
  };
  let slowdown = 1;
  let isRefused = false;
  const pauseFor = (requests: number) =>
    Math.min(Math.max(given.every, requests * REQUEST_SPACING) * slowdown, Math.max(given.every, LONGEST_WATCH_PAUSE));
  const refused = () => {
    if (!isRefused) slowdown = Math.min(2 * slowdown, LONGEST_WATCH_PAUSE / given.every);
    isRefused = true;
    update({ slower: pauseFor(1) });
  };
  const reading = quietReading(given);
  const details = createDetails(reading, () => source, { update, refused });
  const readList = async () => {
    isRefused = false;
    const listed = await selected(reading.call, await readStatuses(reading.session, reading.ids), details);
    const events = source.readAt === 0 ? [] : listEvents(source.seen, listed);
    if (!isRefused) slowdown = Math.max(1, slowdown / 2);
    const slower = slowdown > 1 ? pauseFor(1) : undefined;
    const again = source.trouble ? ["the service is responding again"] : [];
    update({ seen: listed, readAt: clock.now(), trouble: undefined, slower }, [...again, ...events]);
    return Math.ceil(listed.found.length / LARGE_PAGE) || 1;
  };
  const failed = (error: RelayctlError) => {
    if (error.failure === "rate_limited") refused();
    const since = source.trouble?.since ?? clock.now();
    const events = source.trouble ? [] : [`no response: ${error.message}`];
    update({ trouble: { message: error.message, since } }, events);
  };
  const readOn = async () => {
    let requests = 1;
    while (!reading.ended.aborted) {
      await clock.sleep(pauseFor(requests), reading.ended);
      await reading.whenShown();
      if (reading.ended.aborted) return;
      requests = (await unlessPassing(readList, failed)) ?? 1;
    }
  };
  return {
    async first() {
      await readList();
      refuseMissing({ missing: source.seen.missing }, given.session);
    },
    run: async () => void (await Promise.all([readOn(), details.run()])),
  };
}

export function emptySource({ name, flags, protected: isProtected }: Session): Source {
  const seen = { found: [], missing: [], body: new Uint8Array() };
  return { name, flags, isProtected, seen, hours: new Map(), jams: new Map(), fees: new Map(), readAt: 0 };
}

/** Returns the relayers that `--where` selects, with what was read of them besides. */
async function selected({ app, output }: Call, seen: Seen, details: Details): Promise<Seen> {
  const known = details.withKnown(seen);
  const { where } = await readSelection({ where: output.where, now: app.clock.now() }, statusView);
  return { ...known, found: known.found.filter((status) => where.every((holds) => holds(status))) };
}

function listEvents(before: Seen, now: Seen): string[] {
  const changes = changesBetween(before.found, now.found, {
    idOf: ({ relayer }) => relayer.id,
    compared: ({ relayer, health }) => [health, rankOf(relayer)],
    isWanted: () => true,
  });
  return changes.map(({ event, item: { relayer }, before: was }) => {
    const state = stateCell(relayer).text;
    if (event === "changed" && was) return `${relayer.id}  ${stateCell(was.relayer).text} → ${state}`;
    return `${relayer.id}  ${event === "removed" ? "removed" : `added, ${state}`}`;
  });
}
