import { symbolFor } from "../coins/coin-symbol.ts";
import type { CoinAmounts } from "../config/config.ts";
import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { ifReadable, RelayctlError, usageError } from "../errors.ts";
import { appliedOf, type Journal, type RecordedWrite, walkWrites } from "../journal/journal.ts";
import type { Session } from "../session/session.ts";
import { LIMITED_DAY } from "../timing.ts";
import { nativePayment, outgoingWithoutFee } from "./fee.ts";
import { type LimitAmount, limitAmounts, limitText, notAllowed } from "./limit-amounts.ts";

export interface Limited {
  relayerId: string;
  /** Absent if it was not read. */
  relayer: Relayer | undefined;
  /** Absent if it is unknown. */
  kind: NetworkKind | undefined;
  body: JsonObject;
  /** The coin that was typed, which counts if the relayer was not read. */
  coin?: string | undefined;
  replaces?: { id: string; before: Transaction | undefined };
}

interface OfDay {
  relayerId: string;
  amount: bigint;
  replaces?: { id: string; before: Transaction | undefined };
  most: readonly LimitAmount[];
}

/** A replacement only adds what it sends more. @throws RelayctlError usage without a journal */
async function aboveDay(session: Session, ofDay: OfDay): Promise<string[]> {
  const { relayerId, amount, replaces, most } = ofDay;
  if (most.length === 0 || amount === 0n) return [];
  const { sent, lost } = await sentToday(session);
  const added = moreThan(amount, replaces && sent.get(replaces.id), replaces?.before);
  if (added === 0n) return [];
  const lines = [...lost];
  for (const limit of most) {
    const sum = added + (await readSum(session, [...sent.values()], { coin: limit.coin, relayerId }));
    if (sum > limit.amount) lines.push(sumLine(limit, added, sum));
  }
  return lines;
}

function moreThan(amount: bigint, own: SentTransaction | undefined, before: Transaction | undefined): bigint {
  const { earlier, most } = own ?? { earlier: earlierAmount(before), most: 0n };
  return addedBy({ earlier: most > earlier ? most : earlier, most: amount });
}

function sumLine({ coin, amount }: LimitAmount, added: bigint, sum: bigint): string {
  const [total, own, most] = [sum, added, amount].map((each) => limitText({ coin, amount: each }));
  return `${total} in ${LIMITED_DAY / 3_600_000} hours, of which this transaction adds ${own}, is above the limit of ${most} per day`;
}

/** With `--state`, the usual journal counts as well: another folder doesn't begin a new day. */
async function sentToday(session: Session) {
  const journal = await session.journal();
  if (!journal) {
    const rule = "--max-per-day needs the journal, which is off; nothing was sent";
    throw usageError([{ where: `context ${session.name}`, rule }]);
  }
  const usualJournal = await session.usualJournal();
  try {
    const sent = new Map<string, SentTransaction>();
    const lost: string[] = [];
    for (const each of [journal, ...(usualJournal ? [usualJournal] : [])]) {
      lost.push(...(await session.lostLines(each, each === usualJournal)));
      for (const [id, transaction] of await sentSince(each, session.name, session.clock.now() - LIMITED_DAY))
        sent.set(id, withVersions(transaction, sent.get(id)));
    }
    return { sent, lost };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    throw error.with({
      because: ["the sum of the day is unknown", ...(error.because.length > 0 ? error.because : ["nothing was sent"])],
    });
  }
}

/** One journal may have the send, and the other a replacement. */
function withVersions(one: SentTransaction, { earlier, most } = one): SentTransaction {
  return { ...one, earlier: earlier < one.earlier ? earlier : one.earlier, most: most > one.most ? most : one.most };
}

async function readSum(
  session: Session,
  sent: readonly SentTransaction[],
  { coin, relayerId: own }: { coin: string; relayerId: string },
): Promise<bigint> {
  const known = new Map<string, boolean>([[own, true]]);
  let sum = 0n;
  for (const transaction of sent) {
    const { relayerId } = transaction;
    const isSame = known.get(relayerId) ?? (await hasCoin(session, transaction, coin));
    known.set(relayerId, isSame);
    if (isSame) sum += addedBy(transaction);
  }
  return sum;
}

const KINDS: Readonly<Record<string, NetworkKind>> = { sol: "solana", xlm: "stellar", wei: "evm" };

/** Returns whether a transaction sent a coin. If its relayer or its coin cannot be read, it counts. */
async function hasCoin(session: Session, { relayerId, kind }: SentTransaction, coin: string): Promise<boolean> {
  if (kind !== (KINDS[coin] ?? "evm")) return false;
  if (KINDS[coin] || session.reach === "nothing") return true;
  const found = session.client.relayers.get(relayerId).then(({ data }) => symbolFor(session, data));
  const symbol = await ifReadable(found, session.interrupt);
  return symbol === undefined || symbol.toLowerCase() === coin;
}

interface SentTransaction {
  relayerId: string;
  kind: NetworkKind;
  /** The amount of its version before the day. */
  earlier: bigint;
  /** The most that any of its versions sends, since any may be mined. */
  most: bigint;
}

/** Returns a context's transactions since a time, by ID, including unknown outcomes. */
async function sentSince(journal: Journal, context: string, since: number) {
  const sent = new Map<string, SentTransaction>();
  for await (const write of walkWrites(journal, since)) {
    const { intent } = write;
    const isInside = intent.context === context && receivedTime(intent.time) >= since && appliedOf(write) !== "no";
    if (isInside && (intent.operation === "tx.send" || intent.operation === "tx.replace")) addSent(sent, write);
  }
  return sent;
}

/** The older write of a transaction comes later, and knows better what was sent before the day. */
function addSent(sent: Map<string, SentTransaction>, { intent, outcome }: RecordedWrite): void {
  const { ids, before, body, operation, id } = intent;
  const version = isJsonObject(body) ? amountIn(body) : undefined;
  if (!version) return;
  const created = outcome?.after?.id;
  const key = ids.transaction_id ?? (typeof created === "string" ? created : id);
  const most = sent.get(key)?.most ?? 0n;
  sent.set(key, {
    relayerId: ids.relayer_id ?? "",
    kind: version.kind,
    earlier: operation === "tx.send" ? 0n : earlierAmount(before),
    most: version.amount > most ? version.amount : most,
  });
}

function earlierAmount(record: { value?: JsonValue } | undefined): bigint {
  return wireAmount(record?.value) ?? 0n;
}

function amountIn(body: JsonObject): { kind: NetworkKind; amount: bigint } | undefined {
  const kind = Array.isArray(body.operations) ? "stellar" : body.value === undefined ? undefined : "evm";
  const outgoing = kind && outgoingWithoutFee(kind, body, body.source_account);
  return kind && outgoing && "amount" in outgoing ? { kind, amount: outgoing.amount } : undefined;
}

function addedBy({ earlier, most }: Pick<SentTransaction, "earlier" | "most">): bigint {
  return most > earlier ? most - earlier : 0n;
}

export async function compareWithLimits(session: Session, limited: Limited): Promise<string[]> {
  const { limits, name } = session;
  const { kind, body } = limited;
  if (!kind) return await unknownAmount(session, limited);
  const receivers = await findStrangers(session, kind, body);
  if (!limits.max_value && !limits.max_per_day) return receivers;
  const outgoing = outgoingWithoutFee(kind, body, limited.relayer?.address ?? body.source_account);
  if ("unknown" in outgoing) {
    await session.say({ note: `the limits of context ${name} cannot be checked: ${outgoing.unknown}` });
    return receivers;
  }
  const { amount } = outgoing;
  const { coins, isUnknown } = await readCoins(session, limited);
  const isOpen = (isUnknown && amount > 0n) || isUnreadable(limited);
  const open = isOpen ? await unknownAmount(session, limited) : [];
  if (!isUnknown) await noteOthers(session, coins);
  const applying = (stored: CoinAmounts | undefined) => limitAmounts(stored).filter(({ coin }) => coins.includes(coin));
  const tooMuch = applying(limits.max_value)
    .filter(({ amount: most }) => amount > most)
    .map((most) => `${limitText({ ...most, amount })} is above the limit of ${limitText(most)} for one transaction`);
  const ofDay = { ...limited, amount, most: applying(limits.max_per_day) };
  return [...receivers, ...open, ...tooMuch, ...(await aboveDay(session, ofDay))];
}

async function findStrangers({ limits, name, say }: Session, kind: NetworkKind, body: JsonObject) {
  if (!limits.allow_to) return [];
  const { addresses, hidden } = receiversIn(kind, body);
  if (hidden) await say({ note: `the receivers that context ${name} allows cannot all be checked: ${hidden}` });
  return notAllowed(addresses, limits.allow_to).map(
    (address) => `context ${name} does not allow ${address} as a receiver`,
  );
}

async function readCoins(
  session: Session,
  { kind, relayer, coin }: Limited,
): Promise<{ coins: readonly string[]; isUnknown: boolean }> {
  const { max_value: value = {}, max_per_day: perDay = {} } = session.limits;
  if (kind === "solana") return { coins: ["sol"], isUnknown: false };
  if (kind === "stellar") return { coins: ["xlm"], isUnknown: false };
  const needsSymbol = Object.keys({ ...value, ...perDay }).some((name) => !["wei", "sol", "xlm"].includes(name));
  if (!needsSymbol) return { coins: ["wei"], isUnknown: false };
  const symbol = (relayer ? await symbolFor(session, relayer) : coin)?.toLowerCase();
  return { coins: ["wei", symbol === "ether" ? "eth" : (symbol ?? "")], isUnknown: symbol === undefined };
}

/** The service also accepts other spellings of numbers (facts 5.3). */
function isUnreadable({ kind, body: { value, operations } }: Limited): boolean {
  if (kind === "stellar")
    return Array.isArray(operations) && operations.some((each) => nativePayment(each) === undefined);
  return kind === "evm" && value !== undefined && value !== null && wireAmount(value) === undefined;
}

/** A dry run cannot know the coin, so it only notes that. */
async function unknownAmount({ name, reach, say }: Session, limited: Limited): Promise<string[]> {
  const what = isUnreadable(limited) ? "the value" : `the ${limited.kind ? "coin" : "network"} of ${limited.relayerId}`;
  const line = `${what} is unknown, so the limits of context ${name} cannot be checked`;
  if (reach === "all") return [line];
  await say({ note: line });
  return [];
}

async function noteOthers({ limits, name, say }: Session, coins: readonly string[]): Promise<void> {
  for (const [limit, stored] of Object.entries({
    "--max-value": limits.max_value,
    "--max-per-day": limits.max_per_day,
  })) {
    const names = Object.keys(stored ?? {});
    if (names.length === 0 || names.some((coin) => coins.includes(coin))) continue;
    const others = names.map((coin) => coin.toUpperCase()).join(", ");
    await say({ note: `${limit} of context ${name} is for ${others} only, and does not limit this transaction` });
  }
}

function receiversIn(kind: NetworkKind, body: JsonObject) {
  if (kind === "evm") return { addresses: typeof body.to === "string" ? [body.to] : ["a new contract"] };
  if (kind === "solana" || !Array.isArray(body.operations))
    return { addresses: [], hidden: "the transaction contains the receivers" };
  const destinations = body.operations.map((each) => objectIn(each).destination);
  const addresses = destinations.filter((destination) => typeof destination === "string");
  return addresses.length === destinations.length
    ? { addresses }
    : { addresses, hidden: "not every operation has a receiver" };
}
