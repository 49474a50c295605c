import { addToGroup } from "../../../contract/group-by.ts";
import { isJsonObject } from "../../../contract/json.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Accepted, JournalFacts, Pause } from "../../../doctor/facts.ts";
import { RelayctlError } from "../../../errors.ts";
import {
  appliedOf,
  isInProgress,
  isUnsettled,
  type Journal,
  type RecordedWrite,
  walkWrites,
} from "../../../journal/journal.ts";
import { leftCapLockText } from "../../../recovery/cap-lock.ts";
import { unknownWrites } from "../../../recovery/unknown-writes.ts";
import type { Call } from "../../command.ts";
import { type OpenHistory, openContextHistory } from "../../history/open.ts";

const MOST_WRITES = 10_000;
const HOUR = 3_600_000;

export async function readJournal(call: Call, relayers: readonly Relayer[]) {
  const paused = new Set(relayers.filter((each) => each.paused === true).map(({ id }) => id));
  try {
    // The session has printed the notes on the settings.
    const opened = await openContextHistory({ ...call, say: async () => {} });
    return {
      journal: { value: await journalFacts(opened.journal, opened.server) },
      folder: opened.journal.path,
      pauses: { value: await readPauses(opened, paused) },
      accepted: { value: await readAccepted(opened, call.app.clock.now() - HOUR) },
    };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    const skipped = error.failure === "usage" ? "no journal is kept for this service" : error.message;
    return { journal: { skipped }, pauses: { skipped }, accepted: { skipped } };
  }
}

/** Reads whether a journal is complete, and what ended runs left open at a service, or at all services. */
export async function journalFacts(journal: Journal, server: string | undefined): Promise<JournalFacts> {
  const { fault } = await journal.verify();
  const { writes, leftRaised } = await unknownWrites(journal, server);
  return {
    fault: fault && `${fault.file}: ${fault.words}`,
    unsettled: writes.filter((write) => isUnsettled(write, journal)).length,
    leftRaised: leftRaised.filter(({ write }) => !isInProgress([write], journal)).map(leftCapLockText),
  };
}

async function readPauses({ journal, server }: OpenHistory, paused: Set<string>): Promise<ReadonlyMap<string, Pause>> {
  const found = new Map<string, Pause>();
  if (paused.size === 0) return found;
  let left = MOST_WRITES;
  for await (const write of walkWrites(journal)) {
    if (paused.size === 0 || left-- <= 0) break;
    const { intent } = write;
    const id = intent.ids.relayer_id ?? "";
    const isPaused = pauseIn(write);
    if (isPaused === undefined || !paused.has(id) || (server ?? intent.server) !== intent.server) continue;
    paused.delete(id);
    if (isPaused) found.set(id, { since: receivedTime(intent.time), by: `${intent.user}@${intent.host}` });
  }
  return found;
}

async function readAccepted({ journal, server }: OpenHistory, since: number) {
  const found = new Map<string, Accepted[]>();
  let left = MOST_WRITES;
  for await (const write of walkWrites(journal, since)) {
    if (left-- <= 0) break;
    const { intent, outcome } = write;
    const [id = "", at, transactionId] = [intent.ids.relayer_id, receivedTime(intent.time), outcome?.after?.id];
    const isSent = intent.operation === "tx.send" && appliedOf(write) === "yes" && at >= since;
    if (!isSent || typeof transactionId !== "string" || (server ?? intent.server) !== intent.server) continue;
    addToGroup(found, id, { transactionId, at });
  }
  return found;
}

function pauseIn(write: RecordedWrite): boolean | undefined {
  const { operation, body } = write.intent;
  if (operation !== "relayers.update" || appliedOf(write) !== "yes" || !isJsonObject(body)) return undefined;
  return typeof body.paused === "boolean" ? body.paused : undefined;
}
