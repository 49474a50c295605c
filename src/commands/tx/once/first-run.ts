import type { ApiResult } from "../../../client/api-result.ts";
import { outcomeOf } from "../../../command-support/journaling/entries.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { operations } from "../../../contract/operations.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Intent } from "../../../journal/entry.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf, type RecordedWrite } from "../../../journal/writes.ts";
import type { Call } from "../../command.ts";
import { type Candidates, candidatesFor } from "./find-record.ts";

/** The transaction that the first run with a key sent, as it is now. */
export interface FirstRun {
  record: ApiResult<Transaction>;
  /** Set if the outcome was unknown until its record was found. */
  wasFound: boolean;
}

/** The connection, and the journal that knows the key. */
export interface Known {
  call: Call;
  session: Session;
  journal: Journal;
}

/**
 * Reads the transaction of the first run. If its outcome is unknown, finds its record, and settles the outcome.
 * @throws RelayctlError not_found if the record was deleted; unknown if it cannot be found
 */
export async function readFirstRun(known: Known, write: RecordedWrite): Promise<FirstRun> {
  const { intent, outcome } = write;
  const { client } = known.session;
  const { relayer_id: relayerId = "" } = intent.ids;
  const id = appliedOf(write) === "yes" ? outcome?.after?.id : undefined;
  if (typeof id === "string") {
    const record = await client.tx.get(relayerId, id).catch((error: unknown) => {
      throw error instanceof RelayctlError ? error.with({ because: [...runLines(intent), NOT_NOW] }) : error;
    });
    return { record, wasFound: false };
  }
  const record = await found(known, intent);
  return { record, wasFound: true };
}

const NOT_NOW = "nothing was sent now";

/** Returns lines that say who sent a transaction first, when, and in which run. */
export function runLines({ user, host, ci, time, run }: Intent): string[] {
  return [`the first run: ${user}@${host}${ci === undefined ? "" : `, ${ci}`}, at ${time}, run ${run}`];
}

async function found({ call, session, journal }: Known, intent: Intent): Promise<ApiResult<Transaction>> {
  const { relayer_id: relayerId = "" } = intent.ids;
  try {
    const { records, rival } = await candidatesFor(session.client, journal, intent);
    const [only, ...others] = records;
    if (!only || others.length > 0 || rival) throw unknownError(session, intent, candidateLines({ records, rival }));
    const record = await session.client.tx.get(relayerId, only.id);
    await settle(call, journal, intent, record);
    return record;
  } catch (error) {
    if (!(error instanceof RelayctlError) || ["unknown", "interrupted"].includes(error.failure)) throw error;
    throw unknownError(session, intent, [`its transaction cannot be searched for: ${error.message}`]);
  }
}

function candidateLines({ records, rival }: { records: Candidates["records"]; rival: Intent | undefined }): string[] {
  const ids = records.map(({ id }) => id).join(", ");
  if (rival) return [`transaction ${ids} agrees with it, and with run ${rival.run}, whose outcome is unknown too`];
  if (records.length > 1)
    return [`${records.length} transactions agree with it, or may have before they were changed: ${ids}`];
  return ["no transaction since then is certain to be its result; the request may not have arrived"];
}

function unknownError({ flags }: Session, intent: Intent, lines: readonly string[]): RelayctlError {
  const { once, ids } = intent;
  return new RelayctlError("unknown", `unknown whether the first run with --once ${once} sent its transaction`, {
    because: [...runLines(intent), ...lines, NOT_NOW, "check the transactions before you send with another key"],
    hint: commandLine(...flags, "tx", "list", ids.relayer_id ?? ""),
  });
}

/** Records what became of an intent. The record is reported even if the journal cannot be written. */
async function settle(
  { app, say }: Call,
  journal: Journal,
  { id, run }: Intent,
  { data }: ApiResult<Transaction>,
): Promise<void> {
  const time = new Date(app.clock.now()).toISOString();
  const outcome = outcomeOf({ operation: operations["tx.send"] }, { data }, { id, run, time });
  try {
    await journal.append({ ...outcome, settledLater: true });
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    await say(`warning: the outcome of run ${run} is not recorded: ${error.message}`);
  }
}
