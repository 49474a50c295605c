import { shortName } from "../completion/short-name.ts";
import { type Currency, isEvmSymbol, knownSymbol } from "../contract/amount.ts";
import { findExplorer } from "../contract/explorer-url.ts";
import type { JsonValue } from "../contract/json.ts";
import { networkId } from "../contract/resources/network.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { ifReadable } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { COIN_LIFETIME, COIN_TIMEOUT } from "../timing.ts";

const VERSION = "2";
const MOST = 100;
const NETWORK = /^[\w.:-]{1,100}$/;

/** A network's known facts; an empty text if unknown. */
export interface CachedNetwork {
  symbol: string;
  explorer: string;
}

interface KeptNetwork extends CachedNetwork {
  /** The name of an EVM network, otherwise its ID. */
  network: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Uses a day's cache, or reads now (facts 8.2). @param mayRead false after a write, which must not be delayed */
export async function readCoinNetwork(
  session: Session,
  [kind, name]: readonly [kind: string, name: string],
  mayRead = true,
): Promise<CachedNetwork | undefined> {
  const network = kind === "evm" ? name : `${kind}:${name}`;
  const known = session.networks.get(network);
  if (known || name === "") return await known;
  const isRead = mayRead && session.reach !== "nothing";
  const found = readOnceADay(session, network, async () =>
    isRead ? await readNetwork(session, [kind, name]) : undefined,
  );
  if (isRead) session.networks.set(network, found);
  return await found;
}

async function readOnceADay(session: Session, network: string, read: () => Promise<CachedNetwork | undefined>) {
  const { clock, origin } = session;
  const file = session.kept?.(`coins-${shortName([origin])}`);
  const kept = file && (await ignoreFailure(() => file.load()));
  const known = networksInCoinCache(kept, origin, clock.now()).find((each) => each.network === network);
  if (known) return known;
  const facts = await read();
  if (file && (facts?.symbol || facts?.explorer)) {
    const found = { network, ...facts, at: clock.now() };
    await ignoreFailure(() => file.renew((text) => coinCacheWith(text, origin, found)));
  }
  return facts;
}

/** Ignores errors of the cache, which must never stop a command: if its folder is not writable, nothing is cached. */
async function ignoreFailure<T>(use: () => Promise<T>): Promise<T | undefined> {
  try {
    return await use();
  } catch {
    return undefined;
  }
}

export function networksInCoinCache(text: string | undefined, origin: string, now: number): KeptNetwork[] {
  // A truncated line could have another URL.
  const [head, ...lines] = (text ?? "").split("\n").slice(0, -1);
  if (head !== cacheHead(origin)) return [];
  return lines.slice(0, MOST).flatMap((line) => {
    const [time = "", network = "", symbol = "", explorer = ""] = line.split("\t");
    const at = Number(time);
    const isFresh = now - at >= 0 && now - at < COIN_LIFETIME;
    const isValid = NETWORK.test(network) && (symbol === "" || isEvmSymbol(symbol));
    return isFresh && isValid ? [{ network, symbol, explorer, at }] : [];
  });
}

/** Returns the text with another network, unless its name has special characters. */
export function coinCacheWith(text: string | undefined, origin: string, found: KeptNetwork): string {
  const others = networksInCoinCache(text, origin, found.at).filter(({ network }) => network !== found.network);
  const all = NETWORK.test(found.network) ? [found, ...others] : others;
  const lines = all
    .slice(0, MOST)
    .map(({ at, network, symbol, explorer }) => [at, network, symbol, explorer].join("\t"));
  return [cacheHead(origin), ...lines, ""].join("\n");
}

function cacheHead(origin: string): string {
  return `${VERSION}\t${origin}`;
}

export interface Placed {
  id?: JsonValue | undefined;
  network?: JsonValue | undefined;
  network_type?: JsonValue | undefined;
}

/** Returns the service's (facts 8.2) or a well-known network's, and reports once that both lack it. */
export async function symbolFor(
  session: Session,
  { id, network, network_type: kind }: Placed,
): Promise<string | undefined> {
  if (typeof id === "string") session.placed.set(id, { network, network_type: kind });
  if (kind !== "evm") return undefined;
  const name = typeof network === "string" ? network : "";
  const known = session.coins.get(name) ?? lookUp(session, name);
  session.coins.set(name, known);
  return await known;
}

export async function coinFor(session: Session, placed: Placed): Promise<Currency> {
  return { base: "wei", symbol: await symbolFor(session, placed), network: placed.network };
}

/** Returns the symbol without a request, for output after a write, which must not be delayed. */
export async function rememberedCoinSymbol(
  session: Session,
  { network, network_type: kind }: Placed,
): Promise<string | undefined> {
  if (kind !== "evm" || typeof network !== "string") return undefined;
  const known =
    session.coins.get(network) ?? readCoinNetwork(session, [kind, network], false).then((facts) => facts?.symbol);
  return (await known) || knownSymbol(network);
}

/** The most requested networks; others use the table of well-known coins. */
const MOST_ASKED = 16;

export async function coinSymbolsFor(
  session: Session,
  relayers: readonly Placed[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const placed = new Map<string, Placed>();
  for (const relayer of relayers) {
    const { network, network_type: kind } = relayer;
    if (kind === "evm") placed.set(typeof network === "string" ? network : "", relayer);
  }
  const found = [...placed].map(async ([network, relayer], index) => {
    const find = index < MOST_ASKED ? symbolFor : rememberedCoinSymbol;
    return [network, await find(session, relayer)] as const;
  });
  return new Map(await Promise.all(found));
}

export async function readCoinRelayer(session: Session, relayerId: string): Promise<Relayer | undefined> {
  const found = await ifReadable(session.briefly(COIN_TIMEOUT).relayers.get(relayerId), session.interrupt);
  if (!found) await session.say({ note: `the network of ${relayerId} could not be read; EVM amounts are in wei` });
  return found?.data;
}

/** @param relayer undefined if it has to be read */
export async function relayerCoinSymbol(
  session: Session,
  relayerId: string,
  relayer: Relayer | undefined,
): Promise<string | undefined> {
  const placed = relayer ?? (await readCoinRelayer(session, relayerId));
  return placed && (await symbolFor(session, placed));
}

async function lookUp(session: Session, network: string): Promise<string | undefined> {
  const symbol = (await readCoinNetwork(session, ["evm", network]))?.symbol || knownSymbol(network);
  if (symbol === undefined && session.reach !== "nothing")
    await session.say({
      note: `the coin of ${network || "a relayer without a network"} is unknown; its amounts are in wei`,
    });
  return symbol;
}

export async function readNetwork(
  { briefly, interrupt }: Pick<Session, "briefly" | "interrupt">,
  [kind, name]: readonly [kind: string, name: string],
): Promise<CachedNetwork | undefined> {
  const reading = briefly(COIN_TIMEOUT).networks.get(networkId(kind, name), { byRoute: true });
  const { data } = (await ifReadable(reading, interrupt)) ?? {};
  const symbol = kind === "evm" && isEvmSymbol(data?.symbol) ? data.symbol : "";
  return data && { symbol, explorer: findExplorer(data)?.href ?? "" };
}
