import { isJsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { appliedOf, type RecordedWrite, writesNewestFirst } from "../../../journal/writes.ts";
import type { Call } from "../../command.ts";
import { type OpenHistory, openContextHistory } from "../../history/open.ts";
import type { Fact, Pause } from "../facts.ts";

/** The most writes of the journal that are searched. */
const MOST_WRITES = 10_000;

/** Searches the journal for who paused relayers, by their IDs. The journal is only opened if one is paused. */
export async function readPauses(call: Call, relayers: readonly Relayer[]): Promise<Fact<ReadonlyMap<string, Pause>>> {
  const paused = new Set(relayers.filter((each) => each.paused === true).map(({ id }) => id));
  if (paused.size === 0) return { value: new Map() };
  try {
    return { value: await pausesOf(await openContextHistory(call), paused) };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return { skipped: error.message };
  }
}

async function pausesOf({ journal, server }: OpenHistory, paused: Set<string>): Promise<ReadonlyMap<string, Pause>> {
  const found = new Map<string, Pause>();
  let left = MOST_WRITES;
  for await (const write of writesNewestFirst(journal)) {
    if (paused.size === 0 || left-- <= 0) break;
    const { intent } = write;
    const id = intent.ids.relayer_id ?? "";
    const isPaused = pauseIn(write);
    if (isPaused === undefined || !paused.has(id) || (server ?? intent.server) !== intent.server) continue;
    paused.delete(id);
    if (isPaused) found.set(id, { since: Date.parse(intent.time), by: `${intent.user}@${intent.host}` });
  }
  return found;
}

/** Returns whether an applied write paused a relayer or resumed it; undefined for any other write. */
function pauseIn(write: RecordedWrite): boolean | undefined {
  const { operation, body } = write.intent;
  if (operation !== "relayers.update" || appliedOf(write) !== "yes" || !isJsonObject(body)) return undefined;
  return typeof body.paused === "boolean" ? body.paused : undefined;
}
