import type { KnownTransactions } from "../../client/earlier-transaction.ts";
import { type ApiRequest, requestTarget, type WriteFacts } from "../../client/request.ts";
import type { WriteEnd, WriteLog } from "../../client/write-log.ts";
import { wireAmount } from "../../contract/amount.ts";
import { objectIn } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { RelayctlError, unsentError } from "../../errors.ts";
import { clockOffsetOf, DAY, TOLERANCE } from "../../journal/created-in-time.ts";
import {
  appliedOf,
  type Entry,
  type Intent,
  type Journal,
  type RecordedPayments,
  type RecordedWrite,
  walkWrites,
  writesOf,
} from "../../journal/journal.ts";
import { type Author, entryAuthor, entryIntent, entryOutcome, type RecordedCommand } from "./entries.ts";
import { createMaskedBodies } from "./masked-body.ts";

export async function loggedWrites(journal: Journal, key: string): Promise<RecordedWrite[]> {
  const forms = new Set([key, key.normalize("NFC"), key.normalize("NFD")]);
  const entries = await Promise.all([...forms].map((form) => journal.find(form)));
  const isSame = ({ intent }: RecordedWrite) => intent.once?.normalize() === key.normalize();
  return writesOf(entries.flat()).filter(isSame);
}

/** Refuses to send if another run has an intent with the same key. @throws RelayctlError conflict */
async function refuseOtherRun(journal: Journal, { id, run, once = "" }: Intent, time: string): Promise<void> {
  const refused = { type: "outcome", id, run, time, applied: "no" } as const;
  const logged = await loggedWrites(journal, once).catch(async (error: unknown) => {
    await journal.append({ ...refused, failure: "io" });
    throw error;
  });
  if (logged.every((write) => write.intent.id === id || appliedOf(write) === "no")) return;
  const message = `another run with --once ${once} began at the same time`;
  await journal.append({ ...refused, failure: "conflict", message });
  throw unsentError("conflict", message, { retryable: true });
}

interface Prepared {
  journal: Journal;
  intent: Intent;
}

export class JournaledWrites {
  /** Records each write before it may leave, and its outcome before the write ends. */
  readonly log: WriteLog = { begin: (...write) => this.begin(false, ...write) };
  /** The same for many writes at a time, which do not wait for the records of their outcomes. */
  readonly bulkLog: WriteLog = { begin: (...write) => this.begin(true, ...write) };
  private readonly command: RecordedCommand;
  private readonly requirer: string | undefined;
  private readonly open: () => Promise<Journal>;
  private readonly warn: ReturnType<typeof warningOnce>;
  private readonly recordedBody = createMaskedBodies();
  private author: Promise<Author> | undefined;
  private run: string | undefined;
  private isComplete = true;
  /** The number of writes that have begun and not ended. */
  private pending = 0;
  private recent: ReturnType<typeof createRecent> | undefined;
  /** The IDs and hashes of the transactions that the requests of this command have got. */
  private readonly claimed = new Set<string>();
  private outcomes = Promise.resolve();

  constructor(command: RecordedCommand, requirer: string | undefined, open: () => Promise<Journal>) {
    this.command = command;
    this.requirer = requirer;
    this.open = open;
    this.warn = warningOnce(command.say);
  }

  /** Returns the run's ID; undefined before its first write, or if a write is unrecorded. */
  recordedRun(): string | undefined {
    return this.isComplete ? this.run : undefined;
  }

  /** Resolves once the outcomes of all writes that ended are recorded. */
  recorded(): Promise<void> {
    return this.outcomes;
  }

  /** Records it before the first payment. Returns the ID of the run that begins or is resumed. @throws io */
  async beginPayments(request: ApiRequest, payments: RecordedPayments, resumed?: string): Promise<string> {
    const journal = await this.open();
    const own = await entryAuthor(this.command, journal);
    const joined = { ...own, run: resumed ?? own.run };
    this.author = Promise.resolve(joined);
    const { operation, parameters = {} } = request;
    const entry = { id: journal.newId(), run: joined.run, time: this.now() };
    const { id: name, kind, method } = operation;
    const asked = { operation: name, kind, method, target: requestTarget(request), ids: parameters };
    await Promise.all([
      journal.append({ type: "intent", ...joined, ...entry, ...asked, payments }, { isSynced: true }),
      journal.append({ type: "outcome", ...entry, applied: "no" }, { isSynced: true }),
    ]).catch((error: unknown) => {
      throw journalRefusal(error, this.requirer ?? "tx send-many", "nothing was sent");
    });
    return joined.run;
  }

  private now(): string {
    return new Date(this.command.app.clock.now()).toISOString();
  }

  private async begin(inBulk: boolean, ...[request, facts, listing]: Parameters<WriteLog["begin"]>) {
    const started = this.command.app.clock.elapsed();
    this.pending++;
    const requiredBy = this.requirer ?? this.findRequirer(request, facts);
    const refuseUnrecorded = async (error: unknown) => {
      this.pending--;
      if (requiredBy !== undefined)
        throw journalRefusal(error, requiredBy, inBulk ? "the request was not sent" : "nothing was sent");
      this.isComplete = false;
      await this.warn("this write is not recorded", error);
    };
    const notCompared = async (error: unknown): Promise<undefined> => {
      await this.warn("its transaction is not compared with earlier ones", error);
    };
    const isSynced = request.operation.kind === "once" || (facts.temporary ?? facts.keeps) !== undefined;
    const prepared = await this.prepareIntent(request, facts).catch(refuseUnrecorded);
    const isRecorded = prepared && (await this.recordIntent(prepared, isSynced, inBulk).catch(refuseUnrecorded));
    const listed = isRecorded ? undefined : await listing?.().catch(notCompared);
    if (!prepared) return { known: comparedWith(listed), end: async () => {} };
    const { journal, intent, secrets } = prepared;
    const known = this.known(journal, intent, inBulk);
    const safely = <T>(reading: Promise<T>) =>
      reading.catch(async (error: unknown) => {
        if (requiredBy !== undefined) throw error;
        if (listed) return undefined;
        await notCompared(error);
        return null;
      });
    const { holderOf } = comparedWith(listed);
    return {
      known: {
        holderOf: async (key: string, created: number) =>
          (await holderOf(key, created)) ?? (await safely(known.holderOf(key, created))) ?? undefined,
        shown: () => safely(known.shown()),
      },
      end: async (end: WriteEnd) => {
        if (!isRecorded) return;
        this.pending--;
        const ms = Math.round(this.command.app.clock.elapsed() - started);
        const entry = { id: intent.id, run: intent.run, time: this.now(), ms };
        await this.append(journal, entryOutcome(request, end, entry, secrets), inBulk);
      },
    };
  }

  private findRequirer({ operation, body }: ApiRequest, facts: WriteFacts): string | undefined {
    if (facts.payment) return "tx send-many";
    if (facts.temporary) return "a change that is undone at the end";
    const pays = ["tx.send", "tx.replace"].includes(operation.id) && wireAmount(objectIn(body).value) !== 0n;
    return pays && this.command.limits?.max_per_day ? "--max-per-day" : undefined;
  }

  private known(journal: Journal, intent: Intent, inBulk: boolean): KnownTransactions {
    this.recent ??= createRecent(journal, intent, this.claimed);
    const recent = inBulk ? this.recent : undefined;
    return knownTransactions(journal, intent, { claimed: this.claimed, recent, now: () => this.now() });
  }

  private async append(journal: Journal, outcome: Entry, inBulk: boolean): Promise<void> {
    const appended = journal
      .append(outcome, { isFollowed: inBulk && this.pending > 0 })
      .catch((error: unknown) => this.warn("its outcome is not recorded", error));
    const earlier = this.outcomes;
    if (inBulk) this.outcomes = appended.then(() => earlier);
    else await appended;
  }

  private async prepareIntent(request: ApiRequest, facts: WriteFacts) {
    const { command } = this;
    const journal = await this.open();
    this.author ??= entryAuthor(command, journal);
    const author = await this.author;
    const recorded = await this.recordedBody(request, journal);
    const paid = request.operation.id.startsWith("tx.") ? request.parameters?.relayer_id : undefined;
    const coin = paid === undefined ? undefined : await command.coinOf?.(paid);
    const entry = { id: journal.newId(), time: this.now(), recorded, coin };
    return { journal, intent: entryIntent(request, facts, author, entry), secrets: recorded.secrets };
  }

  private async recordIntent({ journal, intent }: Prepared, isSynced: boolean, isFollowed: boolean) {
    await journal.append(intent, { isSynced, isFollowed });
    this.run = intent.run;
    if (this.command.once !== undefined) await refuseOtherRun(journal, intent, this.now());
    return true;
  }
}

function comparedWith(listed: ReadonlySet<unknown> | undefined): KnownTransactions {
  return { holderOf: async (key) => (listed?.has(key) ? "the relayer" : undefined), shown: async () => undefined };
}

function warningOnce(say: RecordedCommand["say"]): (what: string, error: unknown) => Promise<void> {
  const warned = new Set<string>();
  return async (what, error) => {
    if (!(error instanceof RelayctlError)) throw error;
    if (warned.has(what)) return;
    warned.add(what);
    await say({ warning: `${what}: ${error.message}` }).catch(() => {});
  };
}

function journalRefusal(error: unknown, requiredBy: string, what: string): unknown {
  if (!(error instanceof RelayctlError) || error.failure === "conflict") return error;
  return new RelayctlError("io", `the journal, which ${requiredBy} requires, cannot be written: ${error.message}`, {
    because: [what],
    cause: error,
  });
}

type Recent = Awaited<ReturnType<typeof readRecent>>;

function knownTransactions(
  journal: Journal,
  own: Intent,
  { claimed, recent, now }: { claimed: Set<string>; recent: (() => Promise<Recent>) | undefined; now(): string },
): KnownTransactions {
  const inJournal = async (key: string, created: number) => {
    const isRecent = created > receivedTime(own.time) - DAY / 2;
    if (recent && isRecent && !(await recent()).keys.has(key)) return undefined;
    const sent = { own, now: receivedTime(now()) };
    return writesOf(await journal.find(key)).find((write) => hadTransaction(write, sent, key))?.intent.run;
  };
  return {
    shown: recent ?? (() => readRecent(journal, own)),
    async holderOf(key, created) {
      const run = await inJournal(key, created);
      // Of two requests with the same transaction, only the first can have created it.
      if (run !== undefined || claimed.has(key)) return `run ${run ?? own.run}`;
      // V8 keeps a whole response for its slice with the ID.
      claimed.add(Buffer.from(key).toString());
      return undefined;
    },
  };
}

function createRecent(journal: Journal, own: Intent, claimed: ReadonlySet<string>): () => Promise<Recent> {
  let newest: string | undefined;
  const newEntries = async (most: number) => {
    const found: Entry[] = [];
    for await (const entry of journal.newestFirst(receivedTime(own.time) - DAY, { mayRound: true })) {
      if (entryMark(entry) === newest || found.length === most) break;
      found.push(entry);
    }
    newest = found[0] ? entryMark(found[0]) : newest;
    return found;
  };
  let recent: Promise<Recent> | undefined;
  return () => {
    recent = recent
      ? recent.then(async (known) => {
          const keys = (await newEntries(Number.POSITIVE_INFINITY)).flatMap(keysIn);
          for (const key of keys) if (!claimed.has(key)) known.keys.add(key);
          return known;
        })
      : newEntries(1).then(() => readRecent(journal, own));
    return recent;
  };
}

function entryMark({ type, id, time }: Entry): string {
  return `${type} ${id} ${time}`;
}

async function readRecent(journal: Journal, own: Intent) {
  const keys = new Set<string>();
  const shown: RecordedWrite[] = [];
  const before = receivedTime(own.time);
  for await (const write of walkWrites(journal, before - DAY, { mayRound: true })) {
    if (!isOther(write, own)) continue;
    for (const key of writeKeys(write)) keys.add(key);
    if (receivedTime(write.outcome?.time) <= before) shown.push(write);
  }
  const nonces = shown.flatMap(({ outcome }) => wireAmount(outcome?.after?.nonce) ?? []);
  const nonce = nonces.reduce<bigint | undefined>((most = 0n, each) => (each > most ? each : most), undefined);
  const offset = clockOffsetOf(
    shown.filter(({ intent, outcome }) => intent.operation === "tx.send" && outcome?.applied === "yes"),
  );
  // A clock that was set since then shows nothing.
  return { keys, nonce, ahead: offset && offset.least <= offset.most + TOLERANCE ? offset.least : undefined };
}

function isOther({ intent }: RecordedWrite, own: Intent): boolean {
  const isSameRelayer = intent.server === own.server && intent.ids.relayer_id === own.ids.relayer_id;
  return isSameRelayer && intent.id !== own.id;
}

/** Any write that results in a transaction claims it. A future time is older than a clock that was set back. */
function hadTransaction(write: RecordedWrite, { own, now }: { own: Intent; now: number }, key: string): boolean {
  const { intent, outcome } = write;
  if (!isOther(write, own) || !writeKeys(write).includes(key)) return false;
  const isResult = intent.operation === "tx.send" && outcome?.applied === "yes";
  const recorded = receivedTime(intent.time);
  return isResult || recorded <= receivedTime(own.time) || recorded > now;
}

function writeKeys({ intent, outcome }: RecordedWrite): string[] {
  return [intent, ...(outcome ? [outcome] : [])].flatMap(keysIn);
}

function keysIn(entry: Entry): string[] {
  const keys =
    entry.type === "intent" ? [entry.ids.transaction_id, entry.before?.hash] : [entry.after?.id, entry.after?.hash];
  return keys.filter((key) => typeof key === "string");
}
