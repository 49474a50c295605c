import type { App } from "../../app.ts";
import type { Session } from "../../command-support/session/session.ts";
import { shortName } from "../../completion/short-name.ts";
import { isEvmSymbol } from "../../contract/currency.ts";
import { COIN_LIFETIME } from "../../timing.ts";

const VERSION = "1";
const MOST = 100;
const NETWORK = /^[\w.:-]{1,100}$/;

/** A network's coin as reported by the service. */
export interface KeptSymbol {
  network: string;
  symbol: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Returns a network's symbol from the cache, or finds it and caches what was found. */
export async function symbolOnceADay(
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
      fileOf(app, session).renew(async (text) => app.secrets.redact(withSymbol(text, session.origin, found))),
    );
  }
  return symbol;
}

/** Returns a network's symbol from the cache. */
export async function keptSymbol(app: App, session: Session, network: string): Promise<string | undefined> {
  if (!session.keeps) return undefined;
  const text = await unlessItFails(() => fileOf(app, session).load());
  return symbolsIn(text, session.origin, app.clock.now()).find((kept) => kept.network === network)?.symbol;
}

function fileOf(app: App, { origin }: Session) {
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
  if (head !== headOf(origin)) return [];
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
  return [headOf(origin), ...lines, ""].join("\n");
}

function headOf(origin: string): string {
  return `${VERSION}\t${origin}`;
}
