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
