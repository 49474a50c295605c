import type { App } from "../app.ts";
import { shortName } from "../completion/short-name.ts";
import { type Currency, isEvmSymbol, knownSymbol } from "../contract/currency.ts";
import type { JsonValue } from "../contract/json.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { RelayctlError } from "../errors.ts";
import type { CallContext } from "../session/call-context.ts";
import type { Session } from "../session/session.ts";
import { COIN_LIFETIME, COIN_TIMEOUT } from "../timing.ts";

const VERSION = "1";
const MOST = 100;
const NETWORK = /^[\w.:-]{1,100}$/;

interface KeptSymbol {
  network: string;
  symbol: string;
  /** Milliseconds since 1970. */
  at: number;
}

async function symbolOnceADay(
  app: App,
  session: Session,
  network: string,
  find: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const kept = await keptSymbol(app, session, network);
  if (kept !== undefined) return kept;
  const symbol = await find();
  if (symbol !== undefined && session.keeps) {
    const found = { network, symbol, at: app.clock.now() };
    await unlessItFails(() =>
      buildFile(app, session).renew(async (text) => app.secrets.redact(withSymbol(text, session.origin, found))),
    );
  }
  return symbol;
}

async function keptSymbol(app: App, session: Session, network: string): Promise<string | undefined> {
  if (!session.keeps) return undefined;
  const text = await unlessItFails(() => buildFile(app, session).load());
  return symbolsIn(text, session.origin, app.clock.now()).find((kept) => kept.network === network)?.symbol;
}

function buildFile(app: App, { origin }: Session) {
  return app.kept(`coins-${shortName([origin])}`);
}

/** Ignores errors of the cache, which must never stop a command: if its folder is not writable, nothing is cached. */
async function unlessItFails<T>(use: () => Promise<T>): Promise<T | undefined> {
  try {
    return await use();
  } catch {
    return undefined;
  }
}

/** Parses the symbols of this service from the last day; ignores invalid entries. */
export function symbolsIn(text: string | undefined, origin: string, now: number): KeptSymbol[] {
  const [head, ...lines] = (text ?? "").split("\n");
  if (head !== getHead(origin)) return [];
  return lines.slice(0, MOST).flatMap((line) => {
    const [time = "", network = "", symbol] = line.split("\t");
    const at = Number(time);
    const isFresh = now - at >= 0 && now - at < COIN_LIFETIME;
    return isFresh && NETWORK.test(network) && isEvmSymbol(symbol) ? [{ network, symbol, at }] : [];
  });
}

/** Returns the text with another symbol; a network name with special characters is not cached. */
export function withSymbol(text: string | undefined, origin: string, found: KeptSymbol): string {
  const others = symbolsIn(text, origin, found.at).filter(({ network }) => network !== found.network);
  const all = NETWORK.test(found.network) ? [found, ...others] : others;
  const lines = all.slice(0, MOST).map(({ at, network, symbol }) => [at, network, symbol].join("\t"));
  return [getHead(origin), ...lines, ""].join("\n");
}

function getHead(origin: string): string {
  return `${VERSION}\t${origin}`;
}

export interface Placed {
  network?: JsonValue | undefined;
  network_type?: JsonValue | undefined;
}

/**
 * Returns the coin symbol of an EVM relayer's network: from the service (since v1.4, facts 8.2), cached for a day or
 * read now, or from the table of well-known networks. Undefined if neither has it, which is reported once, and for the
 * other kinds, which have one coin each. It fails only on a signal: a service error counts as no symbol.
 */
export async function symbolFor(
  call: CallContext,
  { network, network_type: kind }: Placed,
): Promise<string | undefined> {
  if (kind !== "evm") return undefined;
  const session = await call.session();
  const name = typeof network === "string" ? network : "";
  const known = session.coins.get(name) ?? lookUp(call, session, name);
  session.coins.set(name, known);
  return await known;
}

/** Returns the currency of an EVM relayer's network, with its name for messages. */
export async function currencyFor(call: CallContext, placed: Placed): Promise<Currency> {
  return { base: "wei", symbol: await symbolFor(call, placed), network: placed.network };
}

/** Returns the symbol without a request, for output after a write, which must not be delayed. */
export async function rememberedSymbol(
  call: CallContext,
  { network, network_type: kind }: Placed,
): Promise<string | undefined> {
  if (kind !== "evm" || typeof network !== "string") return undefined;
  const session = await call.session();
  return (await (session.coins.get(network) ?? keptSymbol(call.app, session, network))) ?? knownSymbol(network);
}

/** The maximum number of networks to request; further ones use the table of well-known coins. */
const MOST_ASKED = 16;

export async function symbolsFor(
  call: CallContext,
  relayers: readonly Placed[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const placed = new Map<string, Placed>();
  for (const relayer of relayers) {
    const { network, network_type: kind } = relayer;
    if (kind === "evm") placed.set(typeof network === "string" ? network : "", relayer);
  }
  const found = [...placed].map(async ([network, relayer], index) => {
    const find = index < MOST_ASKED ? symbolFor : rememberedSymbol;
    return [network, await find(call, relayer)] as const;
  });
  return new Map(await Promise.all(found));
}

/** Reads a relayer for its network and coin; undefined if it cannot be read, which is noted. */
export async function readPlaced(call: CallContext, relayerId: string): Promise<Relayer | undefined> {
  const session = await call.session();
  try {
    return (await session.briefly(COIN_TIMEOUT).relayers.get(relayerId)).data;
  } catch (error) {
    if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
    await call.say(`note: the network of ${relayerId} could not be read; EVM amounts are in wei`);
    return undefined;
  }
}

async function lookUp(call: CallContext, session: Session, network: string): Promise<string | undefined> {
  const find = async () =>
    session.reach === "nothing" ? undefined : await readSymbol(session, call.app.interrupt, network);
  const found = network === "" ? undefined : await symbolOnceADay(call.app, session, network, find);
  const symbol = found ?? knownSymbol(network);
  if (symbol === undefined && session.reach !== "nothing")
    await call.say(`note: the coin of ${network || "a relayer without a network"} is unknown; its amounts are in wei`);
  return symbol;
}

/** Reads the coin symbol of an EVM network. A service error counts as no symbol. */
export async function readSymbol(
  { briefly }: Pick<Session, "briefly">,
  interrupt: AbortSignal,
  network: string,
): Promise<string | undefined> {
  try {
    const client = briefly(COIN_TIMEOUT);
    const { symbol } = (await client.networks.get(`evm:${network.toLowerCase()}`, { byRoute: true })).data;
    return isEvmSymbol(symbol) ? symbol : undefined;
  } catch (error) {
    if (!(error instanceof RelayctlError) || interrupt.aborted) throw error;
    return undefined;
  }
}
