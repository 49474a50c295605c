import { openChain } from "../../../chain/open-chain.ts";
import type { ApiResult } from "../../../client/api-result.ts";
import { settledOutcome } from "../../../command-support/journaling/settled-outcome.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Intent } from "../../../journal/entry.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf, type RecordedWrite } from "../../../journal/writes.ts";
import { findSends } from "../../../recovery/find-sends.ts";
import type { Finding } from "../../../recovery/finding.ts";
import { lostSendOf } from "../../../recovery/lost-send.ts";
import type { Call } from "../../command.ts";

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
 * @returns undefined if no transaction of it can exist any more
 * @throws RelayctlError not_found if the record was deleted; unknown if it cannot be found
 */
export async function readFirstRun(known: Known, write: RecordedWrite): Promise<FirstRun | undefined> {
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
  if (appliedOf(write) === "yes" && typeof outcome?.after?.hash === "string")
    throw deletedError(intent, outcome.after.hash);
  return await found(known, intent);
}

const NOT_NOW = "nothing was sent now";

/** Returns lines that say who sent a transaction first, when, and in which run. */
export function runLines({ user, host, ci, time, run }: Intent): string[] {
  return [`the first run: ${user}@${host}${ci === undefined ? "" : `, ${ci}`}, at ${time}, run ${run}`];
}

async function found({ call, session, journal }: Known, intent: Intent): Promise<FirstRun | undefined> {
  const { relayer_id: relayerId = "" } = intent.ids;
  const { client, origin: server } = session;
  const chain = () => openChain({ client, relayerId, ownNode: (network) => session.ownNode(network) });
  const world = { server, relayerId, client, journal, now: () => call.app.clock.now(), chain };
  const finding = (
    await findSends(world, [lostSendOf(intent)]).catch((error: unknown) => {
      if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
      const lines = [`its transaction cannot be searched for: ${error.message}`, ...error.because];
      throw unknownError(session, intent, lines);
    })
  ).get(intent.id);
  if (!finding || finding.state === "unknown") throw unknownError(session, intent, finding ? [finding.because] : []);
  await settle(call, journal, intent, finding);
  if (finding.state === "unsent") return undefined;
  if ("mined" in finding) throw deletedError(intent, finding.mined.hash);
  return { record: finding.record, wasFound: true };
}

/** The chain has the transaction of the first run, and the service does not have its record. */
function deletedError(intent: Intent, hash: string): RelayctlError {
  return new RelayctlError("not_found", "the record of the first run's transaction was deleted", {
    because: [`the chain has the transaction: ${hash}`, ...runLines(intent), NOT_NOW],
  });
}

function unknownError({ flags }: Session, intent: Intent, lines: readonly string[]): RelayctlError {
  const { once, ids } = intent;
  return new RelayctlError("unknown", `unknown whether the first run with --once ${once} sent its transaction`, {
    because: [...runLines(intent), ...lines, NOT_NOW, "check the transactions before you send with another key"],
    hint: commandLine(...flags, "tx", "list", ids.relayer_id ?? ""),
  });
}

/** Records what became of an intent. What was found is reported even if the journal cannot be written. */
async function settle({ app, say }: Call, journal: Journal, { id, run }: Intent, finding: Finding): Promise<void> {
  const time = new Date(app.clock.now()).toISOString();
  try {
    await journal.append(settledOutcome(finding, { id, run, time }), { isSynced: true });
  } catch (error) {
    if (!(error instanceof RelayctlError) || finding.state === "unsent") throw error;
    await say(`warning: the outcome of run ${run} is not recorded: ${error.message}`);
  }
}
