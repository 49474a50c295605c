import { symbolFor } from "../coins/symbol-for.ts";
import type { CoinAmounts, Limits } from "../config/config.ts";
import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import type { CallContext } from "../session/call-context.ts";
import type { Session } from "../session/session.ts";
import { aboveDay } from "./above-day.ts";
import { limitAmounts, limitText } from "./limit-amounts.ts";
import type { Limited, LostLines } from "./limited.ts";
import { outgoingOf } from "./outgoing.ts";

/**
 * Returns how a transaction goes beyond the limits of its context, in one line each. What cannot be compared is noted.
 * @throws RelayctlError usage if there is no journal for the sum of the day
 */
export async function compareWithLimits(
  call: CallContext,
  session: Session,
  limited: Limited,
  lostLines: LostLines,
): Promise<string[]> {
  const { limits, name } = session;
  const { kind, body } = limited;
  if (!kind) return [];
  const receivers = await strangers(call, session, kind, body);
  if (!limits.max_value && !limits.max_per_day) return receivers;
  const outgoing = outgoingOf(kind, body, limited.relayer?.address ?? body.source_account);
  if ("unknown" in outgoing) {
    await call.say(`note: the limits of context ${name} cannot be checked: ${outgoing.unknown}`);
    return receivers;
  }
  const { amount } = outgoing;
  const { coins, isUnknown } = await readCoins(call, limited, limits);
  const isOpen = (isUnknown && amount > 0n) || isUnreadable(limited);
  const open = isOpen ? await unknownAmount(call, session, limited) : [];
  if (!isUnknown) await noteOthers(call, session, coins);
  const applying = (stored: CoinAmounts | undefined) => limitAmounts(stored).filter(({ coin }) => coins.includes(coin));
  const tooMuch = applying(limits.max_value)
    .filter(({ amount: most }) => amount > most)
    .map((most) => `${limitText({ ...most, amount })} is above the limit of ${limitText(most)} for one transaction`);
  const ofDay = { ...limited, amount, most: applying(limits.max_per_day), lostLines };
  return [...receivers, ...open, ...tooMuch, ...(await aboveDay(call, session, ofDay))];
}

async function strangers(
  call: CallContext,
  { limits, name }: Session,
  kind: NetworkKind,
  body: JsonObject,
): Promise<string[]> {
  if (!limits.allow_to) return [];
  const { addresses, hidden } = buildReceivers(kind, body);
  if (hidden) await call.say(`note: the receivers that context ${name} allows cannot all be checked: ${hidden}`);
  return notAllowed(addresses, limits.allow_to).map(
    (address) => `context ${name} does not allow ${address} as a receiver`,
  );
}

/** Returns the names under which a limit of the relayer's coin is stored. Reads the coin only if a limit needs it. */
async function readCoins(
  call: CallContext,
  { kind, relayer, coin }: Limited,
  { max_value: value = {}, max_per_day: perDay = {} }: Limits,
): Promise<{ coins: readonly string[]; isUnknown: boolean }> {
  if (kind === "solana") return { coins: ["sol"], isUnknown: false };
  if (kind === "stellar") return { coins: ["xlm"], isUnknown: false };
  const needsSymbol = Object.keys({ ...value, ...perDay }).some((name) => !["wei", "sol", "xlm"].includes(name));
  if (!needsSymbol) return { coins: ["wei"], isUnknown: false };
  const symbol = (relayer ? await symbolFor(call, relayer) : coin)?.toLowerCase();
  return { coins: ["wei", symbol === "ether" ? "eth" : (symbol ?? "")], isUnknown: symbol === undefined };
}

/** The service also takes other spellings of numbers (facts 5.3). */
function isUnreadable({ kind, body: { value } }: Limited): boolean {
  return kind === "evm" && value !== undefined && value !== null && wireAmount(value) === undefined;
}

/** A dry run cannot know the coin, so it only notes that. */
async function unknownAmount(call: CallContext, { name, reach }: Session, limited: Limited): Promise<string[]> {
  const what = isUnreadable(limited) ? "the value" : `the coin of ${limited.relayerId}`;
  const line = `${what} is unknown, so the limits of context ${name} cannot be checked`;
  if (reach === "all") return [line];
  await call.say(`note: ${line}`);
  return [];
}

async function noteOthers(call: CallContext, { limits, name }: Session, coins: readonly string[]): Promise<void> {
  for (const [limit, stored] of Object.entries({
    "--max-value": limits.max_value,
    "--max-per-day": limits.max_per_day,
  })) {
    const names = Object.keys(stored ?? {});
    if (names.length === 0 || names.some((coin) => coins.includes(coin))) continue;
    const others = names.map((coin) => coin.toUpperCase()).join(", ");
    await call.say(`note: ${limit} of context ${name} is for ${others} only, and does not limit this transaction`);
  }
}

/** The addresses that a body sends to, as far as it shows them. */
interface Receivers {
  addresses: readonly string[];
  /** Why there may be others. */
  hidden?: string;
}

function buildReceivers(kind: NetworkKind, body: JsonObject): Receivers {
  if (kind === "evm") return { addresses: typeof body.to === "string" ? [body.to] : ["a new contract"] };
  if (kind === "solana" || !Array.isArray(body.operations))
    return { addresses: [], hidden: "the transaction contains the receivers" };
  const destinations = body.operations.map((each) => (isJsonObject(each) ? each.destination : undefined));
  const addresses = destinations.filter((destination) => typeof destination === "string");
  return addresses.length === destinations.length
    ? { addresses }
    : { addresses, hidden: "not every operation has a receiver" };
}

/** Returns the addresses that are not on the list. The case of hex only holds its checksum. */
function notAllowed(addresses: readonly string[], allowed: readonly string[]): string[] {
  const spelled = (address: string) => (/^0x/i.test(address) ? address.toLowerCase() : address);
  const known = new Set(allowed.map(spelled));
  return addresses.filter((address) => !known.has(spelled(address)));
}
