import { openChain } from "../../../chain/open-chain.ts";
import { isSameVerdictVersion, verdictVersion } from "../../../chain/verdict/verdict.ts";
import { acceptLostLines } from "../../../command-support/journaling/lost-lines.ts";
import { isDryRun } from "../../../command-support/shown.ts";
import { asText, isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import { spellingOf } from "../../../contract/spelling.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError, rescue, rescueUnlessInterrupted, unsentError, workUnder } from "../../../errors.ts";
import { appliedOf, type Intent, type Journal, type RecordedWrite } from "../../../journal/journal.ts";
import { findSends } from "../../../recovery/find-sends.ts";
import { lostSendOf, mayBePassedOn, type SendFate } from "../../../recovery/lost-send.ts";
import { createRecall, recalledOutcome } from "../../../recovery/recall.ts";
import { maskedBody } from "../../../session/journaling/masked-body.ts";
import { requireSessionJournal } from "../../../session/journaling/session-journal.ts";
import { loggedWrites } from "../../../session/journaling/write-log.ts";
import { receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { OneView, View } from "../../../terminal/view.ts";
import { transactionViewIn } from "../../../views/transaction/record.ts";
import { drawnSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";

interface FirstRun {
  record: { data: JsonObject; body: Uint8Array };
  /** The ID, or the hash if no ID is known. */
  key: string;
  /** Set if the outcome was unknown until its record was found. */
  wasFound?: true;
  /** Set if the journal shows its data instead of the record, and the chain if the service deleted that. */
  unread?: "gone" | RelayctlError;
}

interface Known {
  call: Call;
  session: Session;
  journal: Journal;
}

async function readFirstRun(known: Known, writes: EarlierWrites): Promise<FirstRun | undefined> {
  const [write] = writes;
  const { intent, outcome } = write;
  const { client } = known.session;
  const { relayer_id: relayerId = "" } = intent.ids;
  const { id, hash } = (appliedOf(write) === "yes" && outcome?.after) || {};
  if (typeof id === "string") {
    const reading = client.tx.get(relayerId, id).then((record): FirstRun => ({ record, key: id }));
    return await rescueUnlessInterrupted(reading, (error) =>
      recallFirst(known, relayerId, { id }, error.failure === "not_found" ? "gone" : error),
    );
  }
  return typeof hash === "string" ? await recallFirst(known, relayerId, { hash }) : await findFirstRun(known, writes);
}

async function recallFirst(
  { call, session, journal }: Known,
  relayerId: string,
  sent: { id: string } | { hash: string },
  unread: NonNullable<FirstRun["unread"]> = "gone",
): Promise<FirstRun> {
  const { client, origin: server, ownNode } = session;
  const now = () => call.app.clock.now();
  const recall = createRecall({ client, server, journal, ownNode, now, usesChain: unread === "gone" });
  const [key = ""] = Object.values(sent);
  const shown = (await recall(relayerId, [key])).get(key)?.records.at(-1);
  // What the journal has of it is its first status.
  const data = { ...shown, id: null, ...sent, status: null };
  return { record: { data, body: Buffer.from(writeJson(data)) }, key, unread };
}

function runLines({ user, host, ci, time, run }: Intent): string[] {
  return [`first sent by ${user}@${host}${ci === undefined ? "" : `, ${ci}`}, at ${time}, in run ${run}`];
}

async function findFirstRun({ call, session, journal }: Known, writes: EarlierWrites): Promise<FirstRun | undefined> {
  const [{ intent: first }] = writes;
  const { relayer_id: relayerId = "" } = first.ids;
  const { client, origin: server } = session;
  const chain = () => openChain({ client, relayerId, ownNode: session.ownNode });
  const world = { server, relayerId, client, journal, now: () => call.app.clock.now(), chain };
  const sends = writes.map(({ intent }) => lostSendOf(intent));
  const findings = await rescue(findSends(world, sends), (error) => {
    if (error.failure === "interrupted") throw error;
    throw unknownError(session, first, [`its transaction cannot be searched for: ${error.message}`, ...error.because]);
  });
  const isSent = ({ intent }: RecordedWrite) => findings.get(intent.id)?.state === "sent";
  const mayBeSent = ({ intent }: RecordedWrite) => {
    const fate = findings.get(intent.id);
    return fate?.state === "unknown" && fate.candidates.length > 0;
  };
  const write = writes.find(isSent) ?? writes.find(mayBeSent) ?? writes[0];
  const { intent } = write;
  const finding = findings.get(intent.id);
  if (mayBePassedOn(write) && !isSent(write) && !mayBeSent(write)) return undefined;
  if (!finding || finding.state === "unknown") throw unknownError(session, intent, finding ? [finding.because] : []);
  await settleRun(call, journal, intent, finding);
  if (finding.state === "unsent") return undefined;
  if ("mined" in finding) return await recallFirst({ call, session, journal }, relayerId, { hash: finding.mined.hash });
  return { record: finding.record, key: finding.record.data.id, wasFound: true };
}

function unknownError({ flags }: Session, intent: Intent, lines: readonly string[]): RelayctlError {
  const { once, ids } = intent;
  return new RelayctlError("unknown", `unknown whether the first run with --once ${once} sent its transaction`, {
    because: [...runLines(intent), ...lines, "nothing was sent now; check the transactions before using another key"],
    hint: commandLine(...flags, "tx", "list", ids.relayer_id ?? ""),
  });
}

/** Records an intent's outcome, which is reported even if the journal can't be written. */
async function settleRun({ app, say }: Call, journal: Journal, { id, run }: Intent, finding: SendFate): Promise<void> {
  const time = new Date(app.clock.now()).toISOString();
  await rescue(journal.append(recalledOutcome(finding, { id, run, time }), { isSynced: true }), async (error) => {
    if (finding.state === "unsent") throw error;
    await say({ warning: `the outcome of run ${run} is not recorded: ${error.message}` });
  });
}

type KeyedRequest = Omit<KeyedSending, "key"> & Pick<Intent, "server">;

function differencesFrom({ server, ids, body }: Intent, request: KeyedRequest): string[] {
  return [
    ...(server === request.server ? [] : [`server: ${server} then, ${request.server} now`]),
    ...(ids.relayer_id === request.relayerId ? [] : [`relayer: ${ids.relayer_id} then, ${request.relayerId} now`]),
    // The journal leaves out bodies that are too long for a line.
    ...(isJsonObject(body) ? bodyDifferences(body, request.body) : []),
  ];
}

function bodyDifferences(then: JsonObject, now: JsonObject): string[] {
  const fields = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...fields]
    .filter((field) => comparedText(field, then[field]) !== comparedText(field, now[field]))
    .map((field) => `${field}: ${quoteValue(then[field])} then, ${quoteValue(now[field])} now`);
}

function comparedText(field: string, value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = writeJson(value);
  return spellingOf(field) === "hex" ? text.toLowerCase() : text;
}

function quoteValue(value: JsonValue | undefined): string {
  return value === undefined ? "unset" : asText(value, 100);
}

export interface KeyedSending {
  key: string;
  relayerId: string;
  body: JsonObject;
}

export async function sendOnce(call: Call, sending: KeyedSending, send: () => Promise<View>): Promise<View> {
  const session = await call.session();
  const known = { call, session, journal: await requireSessionJournal(session, "--once") };
  const { key } = sending;
  if (isDryRun(call)) {
    for (const line of await plannedLines(known, sending)) await call.say(line);
    return await send();
  }
  const work = async () => {
    const earlier = await earlierWrite(known, sending);
    return (earlier && (await firstView(known, sending, earlier))) ?? (await send());
  };
  return await workUnder(
    (alone: typeof work) => known.journal.exclusively(key, alone),
    work,
    (error) => {
      if (error.failure !== "conflict") throw error.with({ because: ["nothing was sent"] });
      throw unsentError("conflict", `another run with --once ${key} is in progress`, { retryable: true });
    },
  );
}

/** Returns the intent of a key's transaction, if it may have been sent. */
export async function readFirstIntent(call: Call, key: string): Promise<Intent | undefined> {
  const journal = await requireSessionJournal(await call.session(), "--once");
  return chooseEarlier(await loggedWrites(journal, key))?.[0].intent;
}

/** The write that was sent, or may have been; otherwise all refused ones that a gateway may have passed on. */
type EarlierWrites = readonly [RecordedWrite, ...RecordedWrite[]];

function chooseEarlier(all: readonly RecordedWrite[]): EarlierWrites | undefined {
  const open = all.filter((write) => appliedOf(write) !== "no");
  const sent = open.find((write) => appliedOf(write) === "yes") ?? open[0];
  const [first, ...more] = sent ? [sent] : all.filter(mayBePassedOn);
  return first && [first, ...more];
}

async function earlierWrite({ call, session, journal }: Known, { key, relayerId, body }: KeyedSending) {
  const all = await rescue(loggedWrites(journal, key), (error) => {
    throw error.with({ because: ["nothing was sent"] });
  });
  const earlier = chooseEarlier(all);
  const [first] = earlier ?? [];
  const masked = first && ((await maskedBody(body, journal)) as JsonObject);
  const differences = masked ? differencesFrom(first.intent, { server: session.origin, relayerId, body: masked }) : [];
  // The lost lines may have this payment, or another one whose record would be taken for it.
  if (!first || differences.length > 0 || appliedOf(first) !== "yes") await acceptLostLines(call, journal, "sending");
  if (!first || differences.length === 0) return earlier;
  throw new RelayctlError("conflict", `--once ${key} belongs to another request`, {
    because: [...runLines(first.intent), ...differences, "nothing was sent; use another key for another transaction"],
  });
}

async function plannedLines(known: Known, sending: KeyedSending): Promise<string[]> {
  const earlier = await earlierWrite(known, sending);
  if (!earlier) return [`no earlier run with --once ${sending.key}: the transaction would be sent`];
  const [first] = earlier;
  const lines = {
    no: "was refused: the transaction would be sent, unless its record is found",
    yes: "sent its transaction: nothing would be sent",
    unknown: "may have sent its transaction: it would be searched for, and sent only if it certainly was not",
  };
  return [`the first run with --once ${sending.key} ${lines[appliedOf(first)]}`, ...runLines(first.intent)];
}

async function firstView(
  known: Known,
  { relayerId, body }: KeyedSending,
  earlier: EarlierWrites,
): Promise<OneView | undefined> {
  const { call, session } = known;
  const first = await readFirstRun(known, earlier);
  if (!first) return undefined;
  const { record, key, wasFound, unread } = first;
  const symbol = await drawnSymbol(call, relayerId);
  return {
    kind: "one",
    resource: transactionViewIn(() => symbol),
    value: record.data,
    body: record.body,
    name: key,
    isChange: true,
    receipt: [
      receiptWords.sentBefore(session.name, key, stateText(first)),
      ...runLines(earlier[0].intent).map((done) => ({ done })),
      ...(wasFound ? ["its response was lost; its record was found by its contents"] : []),
      ...changeNotes(body, record),
      ...(unread === undefined || unread === "gone" ? [] : [{ warning: unreadText(unread) }]),
    ],
    next: [{ follow: commandLine(...session.flags, "tx", unread === "gone" ? "wait" : "get", relayerId, key) }],
  };
}

function stateText({ record, unread }: FirstRun): string {
  const { status } = record.data;
  // The chain may show something else, and was not asked.
  if (unread === undefined) return status === "confirmed" ? "confirmed (by the record)" : String(status);
  return unread === "gone" ? "whose record the service deleted" : "whose state is unknown";
}

function unreadText({ message, because }: RelayctlError): string {
  return [`the state cannot be read now: ${message}`, ...because].join("; ");
}

function changeNotes(body: JsonObject, { data }: FirstRun["record"]): { warning: string }[] {
  const [then, now] = [verdictVersion(body), verdictVersion(data as Transaction)];
  if (!then || !now || isSameVerdictVersion(then, now)) return [];
  return [
    { warning: "the record shows another receiver, value, or data now: the transaction was replaced or canceled" },
  ];
}
