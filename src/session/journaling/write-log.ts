import type { KnownTransactions } from "../../client/earlier-transaction.ts";
import { type ApiRequest, targetOf, type WriteFacts } from "../../client/request.ts";
import type { WriteLog } from "../../client/write-log.ts";
import { RelayctlError } from "../../errors.ts";
import type { Intent, RecordedPayments } from "../../journal/entry.ts";
import type { Journal } from "../../journal/journal.ts";
import { authorOf, type RecordedCommand } from "./author.ts";
import { type Author, intentOf, outcomeOf } from "./entries.ts";
import type { JournalUse } from "./journal-use.ts";
import { createRecent, knownTransactions } from "./known-transactions.ts";
import { createRecordedBodies } from "./recorded-body.ts";
import { refuseOtherRun } from "./refuse-other-run.ts";

export interface JournaledWrites {
  /** Records each write before it may leave, and its outcome before the write ends. */
  log: WriteLog;
  /** The same for many writes at a time, which do not wait for the records of their outcomes. */
  bulkLog: WriteLog;
  /** Resolves once the outcomes of all writes that ended are recorded. */
  recorded(): Promise<void>;
  /**
   * Records that a run of payments begins, or that the one with this ID is resumed, before the first payment. Returns its
   * ID, which all later writes have.
   * @throws RelayctlError io if that cannot be recorded
   */
  beginPayments(request: ApiRequest, payments: RecordedPayments, resumed?: string): Promise<string>;
  /** Returns the run's ID; undefined before its first write, or if one of its writes is not recorded. */
  recordedRun(): string | undefined;
}

interface Prepared {
  journal: Journal;
  intent: Intent;
}

export function journaledWrites(
  command: RecordedCommand,
  use: JournalUse,
  open: () => Promise<Journal>,
): JournaledWrites {
  const { clock } = command.app;
  const now = () => new Date(clock.now()).toISOString();
  const warn = warningOnce(command.say);
  const recordedBody = createRecordedBodies();
  let author: Promise<Author> | undefined;
  let run: string | undefined;
  let isComplete = true;
  /** The number of writes that have begun and not ended. */
  let pending = 0;
  let recent: ReturnType<typeof createRecent> | undefined;
  /** The IDs and hashes of the transactions that the requests of this command have got. */
  const claimed = new Set<string>();
  let lastOutcome = Promise.resolve();

  async function notCompared(error: unknown): Promise<undefined> {
    await warn("its transaction is not compared with earlier ones", error);
  }

  async function prepareIntent(request: ApiRequest, facts: WriteFacts) {
    const journal = await open();
    author ??= authorOf(command, journal);
    const recorded = await recordedBody(request, journal);
    const intent = intentOf(request, facts, await author, { id: journal.newId(), time: now(), recorded });
    return { journal, intent, secrets: recorded.secrets };
  }

  async function recordIntent({ journal, intent }: Prepared, isSynced: boolean, isFollowed: boolean) {
    await journal.append(intent, { isSynced, isFollowed });
    run = intent.run;
    if (command.once !== undefined) await refuseOtherRun(journal, intent, now());
    return true;
  }

  const logWith = (inBulk: boolean): WriteLog => ({
    async begin(request, facts, listing) {
      pending++;
      const started = clock.elapsed();
      const requiredBy =
        use.requiredBy ??
        (facts.payment && "tx send-many") ??
        (facts.temporary && "a change that is undone at the end");
      const refuseUnrecorded = async (error: unknown) => {
        pending--;
        if (requiredBy !== undefined)
          throw refusal(error, requiredBy, inBulk ? "the request was not sent" : "nothing was sent");
        isComplete = false;
        await warn("this write is not recorded", error);
      };
      const isSynced = request.operation.kind === "once" || (facts.temporary ?? facts.keeps) !== undefined;
      const prepared = await prepareIntent(request, facts).catch(refuseUnrecorded);
      const isRecorded = prepared && (await recordIntent(prepared, isSynced, inBulk).catch(refuseUnrecorded));
      const listed = isRecorded ? undefined : await listing?.().catch(notCompared);
      if (!prepared) return { known: comparedWith(listed), end: async () => {} };
      const { journal, intent, secrets } = prepared;
      recent ??= createRecent(journal, intent, claimed);
      const known = knownTransactions(journal, intent, { claimed, recent: inBulk ? recent : undefined });
      const safely = <T>(reading: Promise<T>) =>
        reading.catch(async (error: unknown) => {
          if (requiredBy !== undefined) throw error;
          if (!listed) await notCompared(error);
          return undefined;
        });
      const { holderOf } = comparedWith(listed);
      return {
        known: {
          holderOf: async (key, created) => (await holderOf(key, created)) ?? safely(known.holderOf(key, created)),
          shown: () => safely(known.shown()),
        },
        async end(end) {
          if (!isRecorded) return;
          pending--;
          const ms = Math.round(clock.elapsed() - started);
          const outcome = outcomeOf(request, end, { id: intent.id, run: intent.run, time: now(), ms }, secrets);
          const appended = journal
            .append(outcome, { isFollowed: inBulk && pending > 0 })
            .catch((error: unknown) => warn("its outcome is not recorded", error));
          if (!inBulk) return await appended;
          // The next intent waits for it, since entries are written in their order.
          lastOutcome = appended;
        },
      };
    },
  });

  async function beginPayments(request: ApiRequest, payments: RecordedPayments, resumed?: string) {
    const journal = await open();
    const own = await authorOf(command, journal);
    const joined = { ...own, run: resumed ?? own.run };
    author = Promise.resolve(joined);
    const { operation, parameters = {} } = request;
    const entry = { id: journal.newId(), run: joined.run, time: now() };
    const { id: name, kind, method } = operation;
    const intent = { ...joined, ...entry, operation: name, kind, method, target: targetOf(request), ids: parameters };
    await Promise.all([
      journal.append({ type: "intent", ...intent, payments }, { isSynced: true }),
      journal.append({ type: "outcome", ...entry, applied: "no" }, { isSynced: true }),
    ]).catch((error: unknown) => {
      throw refusal(error, use.requiredBy ?? "tx send-many", "nothing was sent");
    });
    return joined.run;
  }

  return {
    beginPayments,
    recordedRun: () => (isComplete ? run : undefined),
    recorded: () => lastOutcome,
    log: logWith(false),
    bulkLog: logWith(true),
  };
}

/** Returns what a list shows of earlier transactions. */
function comparedWith(listed: ReadonlySet<unknown> | undefined): KnownTransactions {
  return { holderOf: async (key) => (listed?.has(key) ? "the relayer" : undefined), shown: async () => undefined };
}

/** Returns a function that prints each warning once: many writes fail for one reason. */
function warningOnce(say: RecordedCommand["say"]): (what: string, error: unknown) => Promise<void> {
  const warned = new Set<string>();
  return async (what, error) => {
    if (!(error instanceof RelayctlError)) throw error;
    if (warned.has(what)) return;
    warned.add(what);
    await say(`warning: ${what}: ${error.message}`).catch(() => {});
  };
}

function refusal(error: unknown, requiredBy: string, what: string): unknown {
  if (!(error instanceof RelayctlError) || error.failure === "conflict") return error;
  return new RelayctlError("io", `the journal, which ${requiredBy} requires, cannot be written: ${error.message}`, {
    because: [what],
    cause: error,
  });
}
